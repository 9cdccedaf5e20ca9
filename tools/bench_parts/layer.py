"""Counterparts of lessons 049 to 052: the whole layer, forward, backward and in training, with autograd.

Forms: a loop over the experts with one parameter an expert (one [E,D,H] parameter indexed in a loop has a backward pass
that fills the whole of it for every expert); the same with what torch.compile can fuse; grouped_mm; bmm over padded
groups; and, where the layer is small, every expert on every token, captured in a graph, which no wait breaks.
"""

import functools

from .building_blocks import ALPHA, gelu
from .counterparts import Form, Problem, counterpart
from .experts import MOST_PADDING, grouped_mm
from .router import checked_choice

RATE, STEPS = 1e-3, 10
MOST_DENSE = 1 << 26  # hidden values of the dense form


def route(t, X, Wg, K):
    probs = t.softmax(X @ Wg, 1)
    values, experts = t.topk(probs, K, 1)
    return probs, experts, values / values.sum(1, keepdim=True)


def dispatch(t, X, Wg, K):
    """Routed, and the rows of X and the gates grouped by expert."""
    probs, experts, gates = route(t, X, Wg, K)
    chosen, order = t.sort(experts.reshape(-1), stable=True)
    tokens = order // K
    return probs, experts, chosen, tokens, X.index_select(0, tokens), gates.reshape(-1)[order].unsqueeze(1)


def mlp(t, x, W1, b1, W2, b2):
    return t.addmm(b2, t.nn.functional.gelu(t.addmm(b1, x, W1), approximate="tanh"), W2)


@functools.lru_cache(maxsize=None)
def compiled_parts(t, K):
    """Router and expert; the loop between them is not compiled, since it asks the GPU for the counts."""

    def router(X, Wg):
        return dispatch(t, X, Wg, K)

    def expert(x, W1, b1, W2, b2):
        return mlp(t, x, W1, b1, W2, b2)

    return t.compile(router, dynamic=False), t.compile(expert, dynamic=True)


def balance(counts, probs, pairs):
    """The auxiliary loss; the counts have no gradient."""
    return ALPHA * probs.shape[1] * (counts / pairs * probs.mean(0)).sum()


class Layer:
    """The layer with its parameters; forward(X) → output, auxiliary loss, experts chosen."""

    def __init__(self, t, i, K):
        self.t, self.K = t, K
        self.E = i.Wg.shape[1]
        self.Wg = self.parameter(i.Wg)
        self.take(i)

    def parameter(self, values):
        return values.detach().clone().requires_grad_()

    def take(self, i):
        self.W1, self.b1, self.W2, self.b2 = (self.parameter(each) for each in (i.W1, i.b1, i.W2, i.b2))

    def parameters(self):
        return [self.Wg, self.W1, self.b1, self.W2, self.b2]

    def arrays(self, of=lambda parameter: parameter):
        """One tensor for each of the five arrays."""
        return [of(each).detach() for each in self.parameters()]

    def dispatch(self, X):
        return dispatch(self.t, X, self.Wg, self.K)

    def forward(self, X):
        probs, experts, chosen, tokens, Xs, gates = self.dispatch(X)
        counts = self.t.bincount(chosen, minlength=self.E)
        out = self.t.zeros_like(X).index_add(0, tokens, gates * self.experts(Xs, chosen, counts))
        return out, balance(counts, probs, chosen.numel()), experts


class Loop(Layer):
    def take(self, i):
        self.W1, self.b1, self.W2, self.b2 = (
            [self.parameter(each) for each in array] for array in (i.W1, i.b1, i.W2, i.b2)
        )

    def parameters(self):
        return [self.Wg, *self.W1, *self.b1, *self.W2, *self.b2]

    def arrays(self, of=lambda parameter: parameter):
        return [of(self.Wg).detach()] + [
            self.t.stack([of(each).detach() for each in array]) for array in (self.W1, self.b1, self.W2, self.b2)
        ]

    def mlp(self, *arguments):
        return mlp(self.t, *arguments)

    def experts(self, Xs, chosen, counts):
        rows = Xs.split(counts.tolist())
        return self.t.cat([self.mlp(*each) for each in zip(rows, self.W1, self.b1, self.W2, self.b2)])


class Compiled(Loop):
    def dispatch(self, X):
        return compiled_parts(self.t, self.K)[0](X, self.Wg)

    def mlp(self, *arguments):
        return compiled_parts(self.t, self.K)[1](*arguments)


class Grouped(Layer):
    def experts(self, Xs, chosen, counts):
        t, mm = self.t, grouped_mm(self.t)
        ends = counts.cumsum(0, dtype=t.int32)
        one_hot = t.nn.functional.one_hot(chosen, self.E).to(Xs.dtype)  # whose product has the fastest backward pass
        hidden = t.addmm(mm(Xs, self.W1, offs=ends), one_hot, self.b1)
        return t.addmm(mm(t.nn.functional.gelu(hidden, approximate="tanh"), self.W2, offs=ends), one_hot, self.b2)


class Padded(Layer):
    def experts(self, Xs, chosen, counts):
        t = self.t
        longest, D = int(counts.max()), Xs.shape[1]
        starts = counts.cumsum(0) - counts
        place = chosen * longest + t.arange(len(chosen), device=Xs.device) - starts[chosen]
        rows = Xs.new_zeros(self.E * longest, D).index_copy(0, place, Xs).view(self.E, longest, D)
        hidden = t.nn.functional.gelu(t.baddbmm(self.b1.unsqueeze(1), rows, self.W1), approximate="tanh")
        return t.baddbmm(self.b2.unsqueeze(1), hidden, self.W2).view(-1, D).index_select(0, place)


class Dense(Layer):
    """Nothing in it waits for the GPU."""

    def forward(self, X):
        t = self.t
        probs, experts, gates = route(t, X, self.Wg, self.K)
        weights = t.zeros_like(probs).scatter(1, experts, gates)
        hidden = t.baddbmm(self.b1.unsqueeze(1), X.unsqueeze(0).expand(self.E, -1, -1), self.W1)
        Y = t.baddbmm(self.b2.unsqueeze(1), t.nn.functional.gelu(hidden, approximate="tanh"), self.W2)
        out = (weights.t().unsqueeze(2) * Y).sum(0)
        counts = t.zeros_like(probs, requires_grad=False).scatter(1, experts, 1.0).sum(0)
        return out, balance(counts, probs, experts.numel()), experts


class Exact:
    """The layer in the plainest words, in float64; the experts chosen are given, or its own."""

    def __init__(self, t, i, K, slack=1e-5):
        self.t, self.K, self.slack = t, K, slack
        self.arrays = [each.detach().clone().requires_grad_() for each in (i.Wg, i.W1, i.b1, i.W2, i.b2)]

    def forward(self, X, experts=None):
        t = self.t
        Wg, W1, b1, W2, b2 = self.arrays
        logits = X @ Wg
        raised = t.exp(logits - logits.detach().amax(1, keepdim=True))
        probs = raised / raised.sum(1, keepdim=True)
        chosen = probs.topk(self.K, 1).indices if experts is None else checked_choice(t, probs.detach(), experts, self.slack)
        values = probs.gather(1, chosen)
        gates = values / values.sum(1, keepdim=True)
        out = t.zeros_like(X)
        counts = []
        for e in range(Wg.shape[1]):
            token, rank = (chosen == e).nonzero(as_tuple=True)
            counts.append(len(token))
            Y = gelu(t, X[token] @ W1[e] + b1[e]) @ W2[e] + b2[e]
            out = out.index_add(0, token, gates[token, rank].unsqueeze(1) * Y)
        return out, balance(t.tensor(counts, device=X.device, dtype=X.dtype), probs, chosen.numel())


def problem(m, more, forms, exact, choice):
    T, D, H, E, K = m["T D H E K"]
    small = {"low": -0.05, "high": 0.05}
    inputs = {"Wg": m.uniform(D, E, **small), "W1": m.uniform(E, D, H, **small), "b1": m.uniform(E, H, **small),
              "W2": m.uniform(E, H, D, **small), "b2": m.uniform(E, D, **small), "X": m.uniform(T, D)}
    return Problem({**inputs, **more(T, D)}, forms, exact, choice)


def layers(m, names, make, **more):
    """The forms with these names; make(class) gives what is timed."""
    t = m.torch
    T, H, E, K = m["T H E K"]
    forms = {}
    for name in names:
        reason = ""
        if name == "grouped_mm" and grouped_mm(t) is None:
            reason = "this PyTorch has no grouped_mm"
        if name == "bmm" and E > MOST_PADDING * 8:
            reason = "many experts: the longest group decides for all of them"
        if name == "dense" and T * E * H > MOST_DENSE:
            reason = "every expert on every token: for small layers"
        kind = {"loop": Loop, "compile": Compiled, "grouped_mm": Grouped, "bmm": Padded, "dense": Dense}[name]
        forms[name] = reason or Form(make(kind), capturable=False, compiled="step" if name == "compile" else "",
                                     graph=name == "dense", whole=True, **more)
    return forms


FORWARD = ("loop", "compile", "grouped_mm", "bmm", "dense")


@counterpart(*FORWARD)
def moe_forward(m):
    t, K = m.torch, m["K"]

    def make(kind):
        def made(i):
            layer = kind(t, i, K)
            return lambda: layer.forward(i.X)  # gradients on: it saves what the backward pass needs, as the lesson does

        return made

    return problem(m, lambda T, D: {}, layers(m, FORWARD, make, collect=lambda got: tuple(each.detach() for each in got)),
                   lambda i, got: tuple(each.detach() for each in Exact(t, i, K).forward(i.X, got[2])) + (got[2],),
                   lambda got: got[2])


BACKWARD = ("loop", "grouped_mm", "bmm")


@counterpart(*BACKWARD)
def moe_backward(m):
    t, K = m.torch, m["K"]

    def make(kind):
        def made(i):
            layer = kind(t, i, K)
            X = i.X.requires_grad_()
            out, aux, experts = layer.forward(X)
            one = t.ones_like(aux)

            def backward():
                X.grad = None  # an output; the others are added to
                t.autograd.backward([out, aux], [i.dOut, one], retain_graph=True)
                return layer, X, experts

            return backward

        return made

    def collect(got):
        layer, X, experts = got
        return (*layer.arrays(lambda parameter: parameter.grad), X.grad, experts)

    def exact(i, got):
        layer, X = Exact(t, i, K), i.X.requires_grad_()
        out, aux = layer.forward(X, got[6])
        return (*t.autograd.grad([out, aux], [*layer.arrays, X], [i.dOut, t.ones_like(aux)]), got[6])

    return problem(m, lambda T, D: {"dOut": m.uniform(T, D)}, layers(m, BACKWARD, make, collect=collect, in_place=True),
                   exact, lambda got: got[6])


def optimizer(t, parameters):
    on_gpu = parameters[0].is_cuda
    return t.optim.SGD(parameters, lr=RATE, **({"fused": True} if on_gpu else {}))


class Training:
    """Zero, forward, both losses, backward (into X as well), update."""

    def __init__(self, t, kind, i, K):
        self.t, self.i = t, i
        self.layer = kind(t, i, K)
        self.X = i.X.requires_grad_()
        self.captured = kind is Dense
        self.optimizer = None if self.captured else optimizer(t, self.layer.parameters())

    def step(self):
        out, aux, experts = self.layer.forward(self.X)
        mse = self.t.nn.functional.mse_loss(out, self.i.target)
        if self.captured:
            parameters = self.layer.parameters()
            *grads, dX = self.t.autograd.grad(mse + aux, [*parameters, self.X])
            with self.t.no_grad():
                self.t._foreach_add_(parameters, grads, alpha=-RATE)
            for parameter, grad in zip([*parameters, self.X], [*grads, dX]):
                parameter.grad = grad
        else:
            self.optimizer.zero_grad(set_to_none=True)
            self.X.grad = None
            (mse + aux).backward()
            self.optimizer.step()
        return self, mse.detach(), aux.detach(), experts

    def collect(self, got):
        _, mse, aux, experts = got
        grads = self.layer.arrays(lambda parameter: parameter.grad)
        return (mse, aux, *grads, self.X.grad, *self.layer.arrays(), experts)


def exact_step(t, layer, X, target, experts=None):
    out, aux = layer.forward(X, experts)
    mse = ((out - target) ** 2).mean()
    grads = t.autograd.grad(mse + aux, [*layer.arrays, X])
    layer.arrays = [(each - RATE * grad).detach().requires_grad_() for each, grad in zip(layer.arrays, grads)]
    return mse.detach(), aux.detach(), *grads


STEP = ("loop", "compile", "grouped_mm", "bmm", "dense")


@counterpart(*STEP)
def train_step(m):
    t, K = m.torch, m["K"]

    def exact(i, got):
        layer, X = Exact(t, i, K), i.X.requires_grad_()
        results = exact_step(t, layer, X, i.target, got[-1])
        return (*results, *(each.detach() for each in layer.arrays), got[-1])

    return problem(m, lambda T, D: {"target": m.uniform(T, D)},
                   layers(m, STEP, lambda kind: lambda i: Training(t, kind, i, K).step,
                          collect=lambda got: got[0].collect(got), in_place=True),
                   exact, lambda got: got[-1])


LOOP = ("loop", "grouped_mm")


@counterpart(*LOOP)
def train_loop(m):
    t, K = m.torch, m["K"]

    def make(kind):
        def made(i):
            training = Training(t, kind, i, K)

            def run():
                losses = []
                for _ in range(STEPS):
                    losses += training.step()[1:3]
                return (t.stack(losses),)

            return run

        return made

    def exact(i, got):
        layer, X = Exact(t, i, K), i.X.requires_grad_()
        losses = []
        for _ in range(STEPS):
            losses += exact_step(t, layer, X, i.target)[:2]
        return (t.stack(losses),)

    return problem(m, lambda T, D: {"target": m.uniform(T, D)}, layers(m, LOOP, make, in_place=True), exact, None)

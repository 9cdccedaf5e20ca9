"""Counterparts of lessons 014 to 023: the router, counts, offsets, slots; and two sequences that are timed as a whole."""

from .counterparts import Problem, Wrong, compiled, counterpart, plain

K = 2


def checked_choice(t, scores, experts, slack):
    """The experts chosen, if they are the K largest up to rounding. (torch.topk has no rule for ties.)"""
    chosen = experts.long()
    k = chosen.shape[1]
    if k > 1 and not bool((chosen.sort(1).values.diff(dim=1) > 0).all()):
        raise Wrong("an index is chosen twice")
    if not bool((scores.gather(1, chosen) >= scores.topk(k, 1).values - slack).all()):
        raise Wrong("a chosen value is not among the largest")
    return chosen


@counterpart("eager")
def topk_rows(m):
    t = m.torch
    rows, cols = m["rows cols"]

    def exact(i, got):
        chosen = checked_choice(t, i.scores, got[1], 0)
        return i.scores.gather(1, chosen), chosen

    return Problem({"scores": m.uniform(rows, cols)}, {"eager": plain(lambda i: tuple(t.topk(i.scores, K, 1)))}, exact,
                   choice=lambda got: got[1])


@counterpart("eager", "compile")
def normalize_gates(m):
    return Problem(
        {"values": m.uniform(m["rows"], K, low=0.1)},
        {
            "eager": plain(lambda i: (i.values / i.values.sum(1, keepdim=True),)),
            "compile": compiled(m.torch, lambda i: (lambda v: (v / v.sum(1, keepdim=True),), (i.values,))),
        },
        lambda i, got: (i.values / i.values.sum(1, keepdim=True),),
    )


def gates_backward(values, dgates):
    total = values.sum(1, keepdim=True)
    return ((dgates - (dgates * values).sum(1, keepdim=True) / total) / total,)


@counterpart("eager", "compile")
def normalize_gates_backward(m):
    rows = m["rows"]
    return Problem(
        {"values": m.uniform(rows, K, low=0.1), "dgates": m.uniform(rows, K)},
        {
            "eager": plain(lambda i: gates_backward(i.values, i.dgates)),
            "compile": compiled(m.torch, lambda i: (gates_backward, (i.values, i.dgates))),
        },
        lambda i, got: tuple(each for each in gates_backward(i.values, i.dgates)),
    )


@counterpart("eager")
def router_logits(m):
    T, D, E = m["T D E"]
    return Problem({"X": m.uniform(T, D), "Wg": m.uniform(D, E)}, {"eager": plain(lambda i: (i.X @ i.Wg,))},
                   lambda i, got: (i.X @ i.Wg,))


@counterpart("eager")
def router_probs(m):
    t = m.torch
    T, E = m["T E"]

    def exact(i, got):
        raised = t.exp(i.logits)
        return (raised / raised.sum(1, keepdim=True),)

    return Problem({"logits": m.uniform(T, E)}, {"eager": plain(lambda i: (t.softmax(i.logits, 1),))}, exact)


@counterpart("eager", "compile")
def router_topk(m):
    t = m.torch
    T, E = m["T E"]

    def choose(probs):
        values, experts = t.topk(probs, K, 1)
        return experts, values / values.sum(1, keepdim=True)

    def exact(i, got):
        chosen = checked_choice(t, i.probs, got[0], 0)
        values = i.probs.gather(1, chosen)
        return chosen, values / values.sum(1, keepdim=True)

    return Problem(
        {"probs": m.uniform(T, E, low=0)},
        {
            "eager": plain(lambda i: choose(i.probs)),
            "compile": compiled(t, lambda i: (choose, (i.probs,))),
        },
        exact,
        choice=lambda got: got[0],
    )


@counterpart("eager")
def router_backward(m):
    t = m.torch
    T, D, E = m["T D E"]
    experts = m.integers(m.routing(T, E, K).experts).view(T, K)
    inputs = {"X": m.uniform(T, D), "Wg": m.uniform(D, E), "probs": m.uniform(T, E, low=0.001, high=0.03),
              "experts": experts, "dgates": m.uniform(T, K), "aux": m.uniform(T, E), "dWg": m.uniform(D, E)}
    softmax_backward = t.ops.aten._softmax_backward_data

    def run(i):
        (dvalues,) = gates_backward(i.probs.gather(1, i.experts), i.dgates)
        dprobs = i.aux.scatter_add(1, i.experts, dvalues)
        dlogits = softmax_backward(dprobs, i.probs, 1, t.float32)
        return dlogits, i.dWg.addmm_(i.X.t(), dlogits), dlogits @ i.Wg.t()

    def exact(i, got):
        chosen = t.zeros_like(i.probs).scatter(1, i.experts, 1.0)
        dgates = t.zeros_like(i.probs).scatter(1, i.experts, i.dgates)
        total = (chosen * i.probs).sum(1, keepdim=True)
        gates = chosen * i.probs / total
        dprobs = i.aux + chosen * (dgates - (dgates * gates).sum(1, keepdim=True)) / total
        dlogits = i.probs * (dprobs - (dprobs * i.probs).sum(1, keepdim=True))
        return dlogits, i.dWg + i.X.t() @ dlogits, dlogits @ i.Wg.t()

    return Problem(inputs, {"eager": plain(run, in_place=True)}, exact)


@counterpart("eager", "scatter_add")
def count_tokens(m):
    t = m.torch
    T, E = m["T E"]
    routing = m.routing(T, E, K)
    inputs = {"experts": m.integers(routing.experts), "ones": t.ones(T * K, dtype=t.int32, device=m.device)}

    def scatter(i):
        return (t.zeros(E, dtype=t.int32, device=m.device).scatter_add_(0, i.experts, i.ones),)

    return Problem(inputs, {"eager": plain(lambda i: (t.bincount(i.experts, minlength=E),), capturable=False),
                            "scatter_add": plain(scatter)},
                   lambda i, got: (m.integers(routing.counts),))


def scan(t, counts):
    return t.nn.functional.pad(t.cumsum(counts, 0, dtype=t.int32), (1, 0))


@counterpart("eager")
def expert_offsets(m):
    routing = m.routing(4096, m["E"], K)
    return Problem({"counts": m.integers(routing.counts, m.torch.int32)},
                   {"eager": plain(lambda i: (scan(m.torch, i.counts),))},
                   lambda i, got: (m.integers(routing.offsets),))


def slots(t, experts):
    pair_of_slot = t.sort(experts, stable=True).indices
    each = t.arange(experts.numel(), device=experts.device)
    return t.empty_like(pair_of_slot).scatter_(0, pair_of_slot, each), pair_of_slot


@counterpart("eager")
def assign_slots(m):
    T, E = m["T E"]
    routing = m.routing(T, E, K)
    return Problem({"experts": m.integers(routing.experts)}, {"eager": plain(lambda i: slots(m.torch, i.experts))},
                   lambda i, got: (m.integers(routing.slot_of_pair), m.integers(routing.pair_of_slot)))


# ---- Sequences ----


@counterpart("eager", "captured", shape="T = 65,536, E = 64",
             work=lambda s: (4.0 * s["T"] * (s["E"] + 4 * K), 6.0 * s["T"] * s["E"]))
def route(m):
    """From logits to slots: what lessons 018, 019 and 021 to 023 do."""
    t = m.torch
    T, E = m["T E"]

    def run(i):
        probs = t.softmax(i.logits, 1)
        values, experts = t.topk(probs, K, 1)
        pairs = experts.reshape(-1)
        counts = t.zeros(E, dtype=t.int32, device=m.device).scatter_add_(0, pairs, i.ones)
        slot_of_pair, pair_of_slot = slots(t, pairs)
        gates = values / values.sum(1, keepdim=True)
        return experts, gates, counts, scan(t, counts), slot_of_pair, pair_of_slot

    def exact(i, got):
        probs = t.softmax(i.logits, 1)
        chosen = checked_choice(t, probs, got[0], 1e-6)
        values = probs.gather(1, chosen)
        one_hot = t.nn.functional.one_hot(chosen.reshape(-1), E)
        counts = one_hot.sum(0)
        offsets = t.cat([counts.new_zeros(1), counts.cumsum(0)])
        before = (one_hot.cumsum(0) - one_hot).gather(1, chosen.reshape(-1, 1)).reshape(-1)
        slot = offsets[chosen.reshape(-1)] + before
        pair = t.empty_like(slot).index_put((slot,), t.arange(T * K, device=m.device))
        return chosen, values / values.sum(1, keepdim=True), counts, offsets, slot, pair

    inputs = {"logits": m.uniform(T, E), "ones": t.ones(T * K, dtype=t.int32, device=m.device)}
    return Problem(inputs, {"eager": plain(run), "captured": plain(run, graph=True)}, exact, choice=lambda got: got[0])


@counterpart("eager", "captured", shape="T = 4,096, D = 128, E = 16",
             work=lambda s: (4.0 * (s["T"] * (s["D"] + s["E"] + 4) + s["E"] * s["D"]), 2.0 * s["T"] * s["D"] * s["E"]))
def grounded_router(m):
    """logits + alpha X G^T, the two largest, their softmax: [T,2,2], each an expert's index and its weight."""
    t = m.torch
    T, D, E = m["T D E"]
    alpha = 0.5

    def run(i):
        values, experts = t.topk(t.addmm(i.logits, i.X, i.G.t(), alpha=alpha), K, 1)
        return (t.stack([experts.to(values.dtype), t.softmax(values, 1)], 2),)

    def exact(i, got):
        grounded = i.logits + alpha * (i.X @ i.G.t())
        chosen = checked_choice(t, grounded, got[0][:, :, 0].long(), 1e-4)
        values = grounded.gather(1, chosen)
        return (t.stack([chosen.double(), t.softmax(values, 1)], 2),)

    inputs = {"X": m.uniform(T, D), "G": m.uniform(E, D), "logits": m.uniform(T, E)}
    return Problem(inputs, {"eager": plain(run), "captured": plain(run, graph=True)}, exact,
                   choice=lambda got: got[0][:, :, 0])

"""Counterparts of lessons 029, 030 and 032 to 040: the experts. Rows of Xs are grouped by expert, `offsets` says where.

Three ways to write a grouped product: a loop of products, which needs the offsets on the host and waits for them, as a
program that has just routed must; grouped_mm; and one bmm over groups padded to the longest. Weights lie in one array
[E, ...]: without gradients, W[e] is free.
"""

from .building_blocks import gelu, gelu_slope
from .counterparts import Problem, counterpart, plain

K = 2
MOST_PADDING = 3  # bmm is left out where padding makes more rows than this times as many


def grouped_mm(t):
    """torch's grouped product, or None: older versions have none, or none for FP32."""
    return getattr(t.nn.functional, "grouped_mm", None) or getattr(t, "_grouped_mm", None)


class Groups:
    """The rows of each expert."""

    def __init__(self, m, T, E):
        self.t, self.P, self.E = m.torch, T * K, E
        self.routing = m.routing(T, E, K, "even" if m.number == 0 else "skewed")
        self.offsets = m.integers(self.routing.offsets, m.torch.int32)
        self.longest = max(self.routing.counts)

    @staticmethod
    def ranges(i):
        """(expert, its rows) from the offsets on the device."""
        at = i.offsets.tolist()
        return [(e, slice(at[e], at[e + 1])) for e in range(len(at) - 1)]

    def exact(self):
        at = self.routing.offsets
        return [(e, slice(at[e], at[e + 1])) for e in range(self.E)]

    def expert_of_row(self, i):
        rows = self.t.arange(self.P, dtype=self.t.int32, device=i.offsets.device)
        return self.t.searchsorted(i.offsets[1:], rows, right=True)

    def forms(self, loop, grouped=None, padded=None, in_place=False):
        mm = grouped_mm(self.t)
        forms = {"loop": plain(loop, capturable=False, in_place=in_place)}
        if grouped is not None:
            forms["grouped_mm"] = (
                plain(lambda i: grouped(i, mm), capturable=False, in_place=in_place) if mm else "this PyTorch has no grouped_mm"
            )
        if padded is not None:
            rows = self.E * self.longest
            forms["bmm"] = (
                plain(padded, capturable=False, in_place=in_place)
                if rows <= MOST_PADDING * self.P
                else f"padded to the longest group there are {rows / self.P:.0f} times as many rows"
            )
        return forms

    def pad(self, i):
        """Where each row lies in an array [E, longest]; the longest group is asked of the device."""
        starts = i.offsets.long()
        longest = int((starts[1:] - starts[:-1]).max())
        expert = self.expert_of_row(i)
        rows = self.t.arange(self.P, device=i.offsets.device)
        return expert * longest + rows - starts[expert], longest

    def spread(self, X, place, longest):
        padded = X.new_zeros(self.E * longest, X.shape[1])
        return padded.index_copy_(0, place, X).view(self.E, longest, X.shape[1])


def product(m, transposed, widths):
    """rows [P,in] times W[e] [in,out], or its transpose."""
    t = m.torch
    T, D, H, E = m["T D H E"]
    g = Groups(m, T, E)
    width, stored = widths(D, H)
    inputs = {"offsets": g.offsets, "X": m.uniform(g.P, width), "W": m.uniform(E, *stored)}
    out = stored[0] if transposed else stored[1]

    def weight(W):
        return W.transpose(-2, -1) if transposed else W

    def loop(i):
        Y = t.empty(g.P, out, device=i.X.device)
        for e, rows in g.ranges(i):
            t.mm(i.X[rows], weight(i.W[e]), out=Y[rows])
        return (Y,)

    def padded(i):
        place, longest = g.pad(i)
        Y = t.bmm(g.spread(i.X, place, longest), weight(i.W))
        return (Y.view(-1, out).index_select(0, place),)

    def exact(i, got):
        return (t.cat([i.X[rows] @ weight(i.W[e]) for e, rows in g.exact()]),)

    return Problem(inputs, g.forms(loop, lambda i, mm: (mm(i.X, weight(i.W), offs=i.offsets[1:]),), padded), exact)


@counterpart("loop", "grouped_mm", "bmm")
def expert_up(m):
    return product(m, False, lambda D, H: (D, (D, H)))


@counterpart("loop", "grouped_mm", "bmm")
def expert_down(m):
    return product(m, False, lambda D, H: (H, (H, D)))


@counterpart("loop", "grouped_mm", "bmm")
def expert_hidden_grad(m):
    return product(m, True, lambda D, H: (D, (H, D)))


def added_bias(m, width):
    T, E = m["T E"]
    g = Groups(m, T, E)

    def loop(i):
        for e, rows in g.ranges(i):
            i.Z[rows].add_(i.b[e])
        return (i.Z,)

    def gathered(i):
        return (i.Z.add_(i.b.index_select(0, g.expert_of_row(i))),)

    forms = g.forms(loop, in_place=True)
    forms["gathered"] = plain(gathered, in_place=True)
    return Problem({"offsets": g.offsets, "b": m.uniform(E, width), "Z": m.uniform(g.P, width)}, forms,
                   lambda i, got: (m.torch.cat([i.Z[rows] + i.b[e] for e, rows in g.exact()]),))


@counterpart("loop", "gathered")
def expert_up_bias(m):
    return added_bias(m, m["H"])


@counterpart("loop", "gathered")
def expert_down_bias(m):
    return added_bias(m, m["D"])


@counterpart("loop", "grouped_mm", "bmm")
def expert_forward(m):
    t = m.torch
    activation = t.nn.functional.gelu
    T, D, H, E = m["T D H E"]
    g = Groups(m, T, E)
    inputs = {"offsets": g.offsets, "Xs": m.uniform(g.P, D), "W1": m.uniform(E, D, H), "b1": m.uniform(E, H),
              "W2": m.uniform(E, H, D), "b2": m.uniform(E, D)}

    def loop(i):
        ranges = g.ranges(i)
        Z = t.empty(g.P, H, device=i.Xs.device)
        for e, rows in ranges:
            t.addmm(i.b1[e], i.Xs[rows], i.W1[e], out=Z[rows])
        A = activation(Z, approximate="tanh")
        Ys = t.empty_like(i.Xs)
        for e, rows in ranges:
            t.addmm(i.b2[e], A[rows], i.W2[e], out=Ys[rows])
        return Z, A, Ys

    def grouped(i, mm):
        expert = g.expert_of_row(i)
        Z = mm(i.Xs, i.W1, offs=i.offsets[1:]).add_(i.b1.index_select(0, expert))
        A = activation(Z, approximate="tanh")
        return Z, A, mm(A, i.W2, offs=i.offsets[1:]).add_(i.b2.index_select(0, expert))

    def padded(i):
        place, longest = g.pad(i)
        Z = t.baddbmm(i.b1.unsqueeze(1), g.spread(i.Xs, place, longest), i.W1)
        A = activation(Z, approximate="tanh")
        Ys = t.baddbmm(i.b2.unsqueeze(1), A, i.W2)
        return tuple(each.view(E * longest, -1).index_select(0, place) for each in (Z, A, Ys))

    def exact(i, got):
        Z = t.cat([i.Xs[rows] @ i.W1[e] + i.b1[e] for e, rows in g.exact()])
        A = gelu(t, Z)
        return Z, A, t.cat([A[rows] @ i.W2[e] + i.b2[e] for e, rows in g.exact()])

    return Problem(inputs, g.forms(loop, grouped, padded), exact)


@counterpart("loop", "index_add")
def expert_down_bias_grad(m):
    t = m.torch
    T, D, E = m["T D E"]
    g = Groups(m, T, E)

    def loop(i):
        for e, rows in g.ranges(i):
            i.db[e].add_(i.dYs[rows].sum(0))
        return (i.db,)

    forms = g.forms(loop, in_place=True)
    forms["index_add"] = plain(lambda i: (i.db.index_add_(0, g.expert_of_row(i), i.dYs),), in_place=True)
    return Problem({"offsets": g.offsets, "dYs": m.uniform(g.P, D), "db": m.uniform(E, D)}, forms,
                   lambda i, got: (i.db + t.stack([i.dYs[rows].sum(0) for _, rows in g.exact()]),))


@counterpart("loop", "grouped_mm", "bmm")
def expert_down_weight_grad(m):
    t = m.torch
    T, D, H, E = m["T D H E"]
    g = Groups(m, T, E)
    inputs = {"offsets": g.offsets, "A": m.uniform(g.P, H), "dYs": m.uniform(g.P, D), "dW": m.uniform(E, H, D)}

    def loop(i):
        for e, rows in g.ranges(i):
            i.dW[e].addmm_(i.A[rows].t(), i.dYs[rows])
        return (i.dW,)

    def padded(i):
        place, longest = g.pad(i)
        A, dYs = g.spread(i.A, place, longest), g.spread(i.dYs, place, longest)
        return (i.dW.baddbmm_(A.transpose(1, 2), dYs),)

    return Problem(inputs, g.forms(loop, lambda i, mm: (i.dW.add_(mm(i.A.t(), i.dYs, offs=i.offsets[1:])),), padded, True),
                   lambda i, got: (i.dW + t.stack([i.A[rows].t() @ i.dYs[rows] for _, rows in g.exact()]),))


@counterpart("loop", "grouped_mm", "bmm")
def expert_up_grads(m):
    t = m.torch
    T, D, H, E = m["T D H E"]
    g = Groups(m, T, E)
    inputs = {"offsets": g.offsets, "Xs": m.uniform(g.P, D), "dZ": m.uniform(g.P, H), "dW": m.uniform(E, D, H),
              "db": m.uniform(E, H)}

    def loop(i):
        for e, rows in g.ranges(i):
            i.dW[e].addmm_(i.Xs[rows].t(), i.dZ[rows])
            i.db[e].add_(i.dZ[rows].sum(0))
        return i.dW, i.db

    def grouped(i, mm):
        i.dW.add_(mm(i.Xs.t(), i.dZ, offs=i.offsets[1:]))
        return i.dW, i.db.index_add_(0, g.expert_of_row(i), i.dZ)

    def padded(i):
        place, longest = g.pad(i)
        Xs, dZ = g.spread(i.Xs, place, longest), g.spread(i.dZ, place, longest)
        return i.dW.baddbmm_(Xs.transpose(1, 2), dZ), i.db.add_(dZ.sum(1))

    def exact(i, got):
        dW = t.stack([i.Xs[rows].t() @ i.dZ[rows] for _, rows in g.exact()])
        return i.dW + dW, i.db + t.stack([i.dZ[rows].sum(0) for _, rows in g.exact()])

    return Problem(inputs, g.forms(loop, grouped, padded, True), exact)


@counterpart("loop", "grouped_mm")
def expert_backward(m):
    t = m.torch
    T, D, H, E = m["T D H E"]
    g = Groups(m, T, E)
    inputs = {"offsets": g.offsets, "Xs": m.uniform(g.P, D), "Z": m.uniform(g.P, H), "A": m.uniform(g.P, H),
              "dYs": m.uniform(g.P, D), "W1": m.uniform(E, D, H), "W2": m.uniform(E, H, D), "dW1": m.uniform(E, D, H),
              "db1": m.uniform(E, H), "dW2": m.uniform(E, H, D), "db2": m.uniform(E, D)}
    gelu_backward = t.ops.aten.gelu_backward

    def loop(i):
        ranges = g.ranges(i)
        dA = t.empty_like(i.Z)
        for e, rows in ranges:
            i.db2[e].add_(i.dYs[rows].sum(0))
            i.dW2[e].addmm_(i.A[rows].t(), i.dYs[rows])
            t.mm(i.dYs[rows], i.W2[e].t(), out=dA[rows])
        dZ = gelu_backward(dA, i.Z, approximate="tanh")
        dXs = t.empty_like(i.Xs)
        for e, rows in ranges:
            i.dW1[e].addmm_(i.Xs[rows].t(), dZ[rows])
            i.db1[e].add_(dZ[rows].sum(0))
            t.mm(dZ[rows], i.W1[e].t(), out=dXs[rows])
        return dA, dZ, dXs, i.dW1, i.db1, i.dW2, i.db2

    def grouped(i, mm):
        ends, expert = i.offsets[1:], g.expert_of_row(i)
        i.db2.index_add_(0, expert, i.dYs)
        i.dW2.add_(mm(i.A.t(), i.dYs, offs=ends))
        dA = mm(i.dYs, i.W2.transpose(1, 2), offs=ends)
        dZ = gelu_backward(dA, i.Z, approximate="tanh")
        i.dW1.add_(mm(i.Xs.t(), dZ, offs=ends))
        i.db1.index_add_(0, expert, dZ)
        return dA, dZ, mm(dZ, i.W1.transpose(1, 2), offs=ends), i.dW1, i.db1, i.dW2, i.db2

    def exact(i, got):
        each = g.exact()
        dA = t.cat([i.dYs[rows] @ i.W2[e].t() for e, rows in each])
        dZ = dA * gelu_slope(t, i.Z)
        dXs = t.cat([dZ[rows] @ i.W1[e].t() for e, rows in each])
        dW1 = t.stack([i.Xs[rows].t() @ dZ[rows] for _, rows in each])
        dW2 = t.stack([i.A[rows].t() @ i.dYs[rows] for _, rows in each])
        db1 = t.stack([dZ[rows].sum(0) for _, rows in each])
        db2 = t.stack([i.dYs[rows].sum(0) for _, rows in each])
        return dA, dZ, dXs, i.dW1 + dW1, i.db1 + db1, i.dW2 + dW2, i.db2 + db2

    return Problem(inputs, g.forms(loop, grouped, in_place=True), exact)

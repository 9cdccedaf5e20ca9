"""Counterparts of lessons 001 to 013 and 041 to 048: products, elementwise work, rows, losses."""

import math

from .counterparts import Problem, compiled, counterpart, plain

ROOT = math.sqrt(2 / math.pi)


def gelu(t, x):
    return 0.5 * x * (1 + t.tanh(ROOT * (x + 0.044715 * x**3)))


def gelu_slope(t, x):
    tanh = t.tanh(ROOT * (x + 0.044715 * x**3))
    return 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh**2) * ROOT * (1 + 3 * 0.044715 * x**2)


def simple(inputs, run, exact=None, **more):
    """A problem with one eager form."""
    return Problem(inputs, {"eager": plain(run, **more)}, lambda i, got: (exact or run)(i))


# ---- 001 to 003: products ----


@counterpart("eager")
def matmul_nn(m):
    M, N, K = m["M N K"]
    return simple({"A": m.uniform(M, K), "B": m.uniform(K, N)}, lambda i: (i.A @ i.B,))


@counterpart("eager")
def matmul_nt(m):
    M, N, K = m["M N K"]
    return simple({"A": m.uniform(M, K), "B": m.uniform(N, K)}, lambda i: (i.A @ i.B.t(),))


@counterpart("eager")
def matmul_tn(m):
    M, N, K = m["M N K"]
    inputs = {"A": m.uniform(K, M), "B": m.uniform(K, N), "C": m.uniform(M, N)}
    return simple(inputs, lambda i: (i.C.addmm_(i.A.t(), i.B),), lambda i: (i.C + i.A.t() @ i.B,), in_place=True)


# ---- 004 to 011, 031, 038: an element at a time ----


@counterpart("eager")
def bias_add(m):
    rows, cols = m["rows cols"]
    return simple({"X": m.uniform(rows, cols), "b": m.uniform(cols)}, lambda i: (i.X + i.b,))


@counterpart("eager", "product", "compile")
def bias_grad(m):
    t = m.torch
    rows, cols = m["rows cols"]
    inputs = {"dY": m.uniform(rows, cols), "db": m.uniform(cols), "ones": t.ones(rows, device=m.device)}
    return Problem(
        inputs,
        {
            "eager": plain(lambda i: (i.db.add_(i.dY.sum(0)),), in_place=True),
            "product": plain(lambda i: (i.db.addmv_(i.dY.t(), i.ones),), in_place=True),
            "compile": compiled(t, lambda i: (lambda dY, db: (db + dY.sum(0),), (i.dY, i.db))),
        },
        lambda i, got: (i.db + i.dY.sum(0),),
    )


def pair_of_arrays(m, run, exact=None):
    n = m["n"]
    return simple({"a": m.uniform(n), "b": m.uniform(n)}, run, exact)


@counterpart("eager")
def elementwise_add(m):
    return pair_of_arrays(m, lambda i: (i.a + i.b,))


@counterpart("eager")
def elementwise_multiply(m):
    return pair_of_arrays(m, lambda i: (i.a * i.b,))


@counterpart("eager")
def relu_forward(m):
    relu = m.torch.nn.functional.relu
    return simple({"x": m.uniform(m["n"])}, lambda i: (relu(i.x),), lambda i: (i.x * (i.x > 0),))


@counterpart("eager")
def relu_backward(m):
    backward = m.torch.ops.aten.threshold_backward  # what autograd calls
    return pair_of_arrays(m, lambda i: (backward(i.b, i.a, 0),), lambda i: (i.b * (i.a > 0),))


@counterpart("eager")
def gelu_forward(m):
    t = m.torch
    return simple({"x": m.uniform(m["n"])}, lambda i: (t.nn.functional.gelu(i.x, approximate="tanh"),),
                  lambda i: (gelu(t, i.x),))


@counterpart("eager")
def gelu_backward(m):
    t = m.torch
    backward = t.ops.aten.gelu_backward
    return pair_of_arrays(m, lambda i: (backward(i.b, i.a, approximate="tanh"),),
                          lambda i: (i.b * gelu_slope(t, i.a),))


@counterpart("eager")
def expert_activation(m):
    return gelu_forward(m)


@counterpart("eager")
def expert_activation_grad(m):
    return gelu_backward(m)


# ---- 012, 013: rows ----


@counterpart("eager")
def softmax_rows(m):
    t = m.torch
    rows, cols = m["rows cols"]

    def exact(i):
        raised = t.exp(i.x - i.x.amax(1, keepdim=True))
        return (raised / raised.sum(1, keepdim=True),)

    return simple({"x": m.uniform(rows, cols)}, lambda i: (t.softmax(i.x, 1),), exact)


@counterpart("eager")
def softmax_rows_backward(m):
    t = m.torch
    rows, cols = m["rows cols"]
    backward = t.ops.aten._softmax_backward_data  # what autograd calls
    return simple({"y": m.uniform(rows, cols), "dy": m.uniform(rows, cols)},
                  lambda i: (backward(i.dy, i.y, 1, t.float32),),
                  lambda i: (i.y * (i.dy - (i.y * i.dy).sum(1, keepdim=True)),))


# ---- 041 to 044: the auxiliary loss ----

ALPHA = 0.01


@counterpart("eager")
def dispatch_fractions(m):
    pairs, E = 8192, m["E"]
    counts = m.integers(m.routing(pairs // 2, E, 2).counts, m.torch.int32)
    return simple({"counts": counts}, lambda i: (i.counts / pairs,), lambda i: (i.counts.double() / pairs,))


@counterpart("eager", "compile")
def mean_probs(m):
    T, E = m["T E"]
    return Problem(
        {"probs": m.uniform(T, E, low=0)},
        {
            "eager": plain(lambda i: (i.probs.mean(0),)),
            "compile": compiled(m.torch, lambda i: (lambda probs: (probs.mean(0),), (i.probs,))),
        },
        lambda i, got: (i.probs.sum(0) / T,),
    )


@counterpart("eager")
def aux_loss(m):
    E = m["E"]
    return simple({"fractions": m.uniform(E, low=0), "means": m.uniform(E, low=0)},
                  lambda i: (m.torch.dot(i.fractions, i.means) * (ALPHA * E),),
                  lambda i: (ALPHA * E * (i.fractions * i.means).sum(),))


@counterpart("eager")
def aux_loss_backward(m):
    T, E = m["T E"]
    return simple({"fractions": m.uniform(E, low=0)},
                  lambda i: ((i.fractions * (ALPHA * E / T)).expand(T, E).contiguous(),),
                  lambda i: ((ALPHA * E / T * i.fractions).repeat(T, 1),))


# ---- 045 to 048: loss and update ----


@counterpart("eager", "compile")
def mse_loss(m):
    t, n = m.torch, m["n"]
    return Problem(
        {"y": m.uniform(n), "target": m.uniform(n)},
        {
            "eager": plain(lambda i: (t.nn.functional.mse_loss(i.y, i.target),)),
            "compile": compiled(t, lambda i: (lambda y, target: (((y - target) ** 2).mean(),), (i.y, i.target))),
        },
        lambda i, got: (((i.y - i.target) ** 2).sum() / n,),
    )


@counterpart("eager")
def mse_loss_backward(m):
    t, n = m.torch, m["n"]
    backward = t.ops.aten.mse_loss_backward  # what autograd calls; 1: the mean
    return simple({"y": m.uniform(n), "target": m.uniform(n), "one": t.ones((), device=m.device)},
                  lambda i: (backward(i.one, i.y, i.target, 1),), lambda i: (2 * (i.y - i.target) / n,))


@counterpart("eager")
def zero_grads(m):
    t = m.torch
    D, H, E = m["D H E"]
    shapes = ((D, E), (E, D, H), (E, H), (E, H, D), (E, D))

    def zero(i):
        t._foreach_zero_(i.grads)
        return tuple(i.grads)

    return simple({"grads": [m.uniform(*shape) for shape in shapes]}, zero,
                  lambda i: tuple(t.zeros_like(each) for each in i.grads))


@counterpart("eager")
def sgd_update(m):
    n, rate = m["n"], 0.001
    return simple({"w": m.uniform(n), "g": m.uniform(n)}, lambda i: (i.w.add_(i.g, alpha=-rate),),
                  lambda i: (i.w - rate * i.g,), in_place=True)

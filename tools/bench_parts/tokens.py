"""Counterparts of lessons 024 to 028: rows moved to their experts and back."""

from .counterparts import Problem, compiled, counterpart, plain

K = 2


def sizes(m):
    T, D = m["T D"]
    return T, D, m.routing(T, 5 if T < 100 else 64, K)


@counterpart("eager")
def gather_tokens(m):
    T, D, routing = sizes(m)
    inputs = {"X": m.uniform(T, D), "pair_of_slot": m.integers(routing.pair_of_slot)}
    return Problem(inputs, {"eager": plain(lambda i: (i.X.index_select(0, i.pair_of_slot // K),))},
                   lambda i, got: (i.X.repeat_interleave(K, 0)[i.pair_of_slot],))


@counterpart("eager", "embedding_bag", "compile")
def gather_tokens_backward(m):
    t = m.torch
    T, D, routing = sizes(m)

    def eager(dXs, slots):
        return (dXs.index_select(0, slots).view(T, K, D).sum(1),)

    def bag(i):
        return (t.nn.functional.embedding_bag(i.slots.view(T, K), i.dXs, mode="sum"),)

    return Problem(
        {"dXs": m.uniform(T * K, D), "slots": m.integers(routing.slot_of_pair)},
        {
            "eager": plain(lambda i: eager(i.dXs, i.slots)),
            "embedding_bag": plain(bag),
            "compile": compiled(t, lambda i: (eager, (i.dXs, i.slots))),
        },
        lambda i, got: (sum(i.dXs[i.slots[j::K]] for j in range(K)),),
    )


@counterpart("eager", "embedding_bag", "compile")
def combine_tokens(m):
    t = m.torch
    T, D, routing = sizes(m)

    def eager(Ys, slots, gates):
        return ((Ys.index_select(0, slots).view(T, K, D) * gates.unsqueeze(2)).sum(1),)

    def bag(i):
        return (t.nn.functional.embedding_bag(i.slots.view(T, K), i.Ys, mode="sum", per_sample_weights=i.gates),)

    return Problem(
        {"Ys": m.uniform(T * K, D), "slots": m.integers(routing.slot_of_pair), "gates": m.uniform(T, K)},
        {
            "eager": plain(lambda i: eager(i.Ys, i.slots, i.gates)),
            "embedding_bag": plain(bag),
            "compile": compiled(t, lambda i: (eager, (i.Ys, i.slots, i.gates))),
        },
        lambda i, got: (sum(i.gates[:, j : j + 1] * i.Ys[i.slots[j::K]] for j in range(K)),),
    )


@counterpart("eager", "compile")
def combine_backward_experts(m):
    T, D, routing = sizes(m)

    def eager(dOut, gates, pairs):
        return (dOut.index_select(0, pairs // K) * gates.view(-1)[pairs].unsqueeze(1),)

    def exact(i, got):
        return ((i.gates.unsqueeze(2) * i.dOut.unsqueeze(1)).reshape(T * K, D)[i.pairs],)

    return Problem(
        {"dOut": m.uniform(T, D), "gates": m.uniform(T, K), "pairs": m.integers(routing.pair_of_slot)},
        {
            "eager": plain(lambda i: eager(i.dOut, i.gates, i.pairs)),
            "compile": compiled(m.torch, lambda i: (eager, (i.dOut, i.gates, i.pairs))),
        },
        exact,
    )


@counterpart("eager", "bmm", "compile")
def combine_backward_gates(m):
    t = m.torch
    T, D, routing = sizes(m)

    def eager(dOut, Ys, slots):
        return ((dOut.unsqueeze(1) * Ys.index_select(0, slots).view(T, K, D)).sum(2),)

    def bmm(i):
        return (t.bmm(i.Ys.index_select(0, i.slots).view(T, K, D), i.dOut.unsqueeze(2)).view(T, K),)

    def exact(i, got):
        return (t.stack([(i.dOut * i.Ys[i.slots[j::K]]).sum(1) for j in range(K)], 1),)

    return Problem(
        {"dOut": m.uniform(T, D), "Ys": m.uniform(T * K, D), "slots": m.integers(routing.slot_of_pair)},
        {
            "eager": plain(lambda i: eager(i.dOut, i.Ys, i.slots)),
            "bmm": plain(bmm),
            "compile": compiled(t, lambda i: (eager, (i.dOut, i.Ys, i.slots))),
        },
        exact,
    )

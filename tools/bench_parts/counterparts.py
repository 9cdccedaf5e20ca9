"""What PyTorch is set against each benchmark: the table, and what a counterpart is made of. Needs no torch to be listed.

A counterpart is a function of a Maker (sizes, arrays) that returns a Problem. `@counterpart("eager", ...)` names the
forms it may have; a form that makes no sense at a shape is a sentence that says so.
"""

import dataclasses
import functools
import re
import types

from .routing import Routing

TABLE = {}  # function → Counterpart


@dataclasses.dataclass(frozen=True)
class Counterpart:
    build: object
    forms: tuple
    shape: str = ""  # of what is timed though no lesson's benchmark has it
    work: object = None  # sizes → (bytes, flops), of these


def counterpart(*forms, shape="", work=None):
    def register(build):
        TABLE[build.__name__] = Counterpart(build, forms, shape, work)
        return build

    return register


class Wrong(Exception):
    """What a check found."""


@dataclasses.dataclass
class Form:
    """One way to write it in PyTorch. make(inputs) gives the call that is timed, which returns the outputs."""

    make: object
    capturable: bool = True  # False: it waits for the GPU, which no graph can hold
    compiled: str = ""  # torch.compile is in it; "step" or "fused": the option that asks for it
    graph: bool = False  # the call is captured, a sample is one replay
    collect: object = None  # outputs → what is compared, outside of the timed region
    in_place: bool = False  # a second call adds to the first
    whole: bool = False  # its peak memory is of interest


@dataclasses.dataclass
class Problem:
    inputs: dict
    forms: dict  # name → Form, or the reason why it is left out
    exact: object  # (float64 inputs, outputs) → the outputs in float64; the outputs tell which choice was made
    choice: object = None  # outputs → what exact() takes from them; None: nothing
    limit: float = 1e-4  # of |got - exact| / |exact|: FP32 is far below, TF32 (3e-4) above


class Maker:
    """Sizes by name, and arrays as common/bench makes them."""

    def __init__(self, torch, device, sizes, number=0, seed=1):
        self.torch, self.device, self.sizes, self.number, self.seed = torch, device, sizes, number, seed
        self._generator = torch.Generator(device=device)
        self._generator.manual_seed(seed)

    def __getitem__(self, names):
        values = [self.sizes[name] for name in names.split()]
        return values if len(values) > 1 else values[0]

    def uniform(self, *shape, low=-1.0, high=1.0):
        drawn = self.torch.rand(*shape, generator=self._generator, device=self.device)
        return drawn.mul_(high - low).add_(low)

    def integers(self, values, dtype=None):
        return self.torch.tensor(values, dtype=dtype or self.torch.int64, device=self.device)

    def routing(self, T, E, K, loads="random"):
        return _routing(T, E, K, loads, self.seed)


@functools.lru_cache(maxsize=4)
def _routing(T, E, K, loads, seed):
    return Routing(T, E, K, loads, seed)


def plain(run, **more):
    """A form that is one function of its inputs."""
    return Form(lambda inputs: lambda: run(inputs), **more)


def compiled(torch, run, level="fused", **more):
    """A form whose function of tensors goes through torch.compile; `run` gives it and its arguments."""

    made = []  # once, however often it is called for

    def make(inputs):
        function, arguments = run(inputs)
        if not made:
            made.append(torch.compile(function, dynamic=False))
        return lambda: made[0](*arguments)

    return Form(make, compiled=level, **more)


def sizes_of(shape):
    """{"rows": 65536, ...} of "rows = 65,536, cols = 1,024"."""
    found = re.findall(r"(\w+) = (\d[\d,]*?)(?=, \w+ = |$)", shape)
    if shape and not found:
        raise ValueError(f"'{shape}' is no list of sizes")
    return {name: int(value.replace(",", "")) for name, value in found}


def each_tensor(values, change):
    """`values` with `change` done to every tensor in it."""
    if isinstance(values, dict):
        return {name: each_tensor(value, change) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return type(values)(each_tensor(value, change) for value in values)
    return change(values)


def copy_of(inputs, change=lambda tensor: tensor.clone()):
    return types.SimpleNamespace(**each_tensor(inputs, change))


def in_double(inputs):
    return copy_of(inputs, lambda tensor: tensor.double() if tensor.is_floating_point() else tensor)


def load():
    """Fills the table."""
    from . import building_blocks, experts, layer, router, tokens  # noqa: F401

    return TABLE

#!/usr/bin/env python3
"""Times PyTorch at the cases of a manifest, in one process; one JSON line a case.

    tools/bench_parts/torch_run.py --list                what each function is set against; needs no torch
    tools/bench_parts/torch_run.py [options] <MANIFEST   JSON lines: function, shape, method, bytes

  --seconds S    about how long each form is timed (0.5)
  --budget S     what is not reached by then is left out, and said to be (300)
  --compile L    none, step (torch.compile for the layer; the default) or fused (for the kernels that it can fuse, too)
  --device cpu   two samples on the CPU: shows that everything runs and is right
  --seed N

`tools/bench` runs it. Exit code 1: an output was wrong; 5: no torch, or none with a GPU.
"""

import argparse
import gc
import json
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from bench_parts import counterparts  # noqa: E402
from bench_parts.counterparts import Wrong, copy_of, each_tensor, in_double, sizes_of  # noqa: E402
from bench_parts.timing import Clock, WallClock, summary  # noqa: E402

# What helps most first, should the time run out: the layer, then the rest in order; ten steps at a time come last.
FIRST, LAST = ("train_step", "moe_forward", "moe_backward"), ("train_loop",)
COMPILE_SECONDS = 25  # a form to be compiled is not begun with less left
GRACE_SECONDS = 10


class Spent(Exception):
    """The time budget."""


class Run:
    def __init__(self, torch, options):
        self.torch, self.options = torch, options
        self.gpu = options.device == "cuda"
        self.end = time.monotonic() + options.budget
        self.clock = Clock(torch, options.seconds) if self.gpu else WallClock()

    def left(self):
        return self.end - time.monotonic()

    def case(self, case, number):
        """The line of one case."""
        line = {"function": case["function"], "shape": case["shape"], "subjects": []}
        entry = counterparts.TABLE.get(case["function"])
        if entry is None:
            line["subjects"].append({"subject": "PyTorch", "wrong": "", "left_out": "no counterpart"})
            return line
        if self.left() <= 0:
            line["subjects"].append({"subject": "PyTorch", "wrong": "", "left_out": reason_of(Spent())})
            return line
        maker = counterparts.Maker(self.torch, self.options.device, sizes_of(case["shape"]), number, self.options.seed)
        try:
            problem = entry.build(maker)
        except (Spent, self.torch.cuda.OutOfMemoryError) as error:
            line["subjects"].append({"subject": "PyTorch", "wrong": "", "left_out": reason_of(error)})
            return line
        known = []  # the exact outputs, with the choice they were computed for
        for name in entry.forms:
            if name not in problem.forms:
                raise ValueError(f"{case['function']}: the form '{name}' is listed, and not there")
            subject = {"subject": f"PyTorch {name}", "wrong": ""}
            form = problem.forms[name]
            try:
                reason = self.why_not(form)
                if reason:
                    subject["left_out"] = reason
                else:
                    subject.update(self.measure(problem, form, case["method"], known))
            except Wrong as wrong:
                subject["wrong"] = str(wrong)
            except Exception as error:  # one form's trouble is not the others'
                subject["left_out"] = reason_of(error)
            line["subjects"].append(subject)
            self.tidy()
        return line

    def why_not(self, form):
        if isinstance(form, str):
            return form
        wanted = {"none": (), "step": ("step",), "fused": ("step", "fused")}[self.options.compile]
        if form.compiled and form.compiled not in wanted:
            return f"torch.compile was not asked for (--compile {form.compiled})"
        if form.compiled and not hasattr(self.torch, "compile"):
            return "this PyTorch has no torch.compile"
        if self.left() < (COMPILE_SECONDS if form.compiled else 2 * self.options.seconds):
            raise Spent
        return ""

    def measure(self, problem, form, method, known):
        if not self.gpu:
            form.graph = False
        error = self.check(problem, form, form.make(copy_of(problem.inputs))(), known)
        result = {"error": float(f"{error:.3g}")}
        self.tidy()
        before = self.torch.cuda.memory_allocated() if self.gpu else 0
        call = form.make(copy_of(problem.inputs))
        size = bytes_of(problem.inputs)
        if form.whole and self.gpu:
            result["peak_bytes"] = self.peak(call, before)
        if form.graph:
            graph, output = self.clock.capture(call)
            samples, _ = self.clock.cold([graph.replay], size)
            result["method"] = "graph"
        elif method == "replayed" and form.capturable and self.gpu:
            samples, output = self.clock.replayed(call)
            result["method"] = "replayed"
        else:
            calls = [call]
            if not form.whole:
                more = self.clock.copies(size) - 1
                calls += [form.make(copy_of(problem.inputs)) for _ in range(more)]
            samples, output = self.clock.cold(calls, size)
            result["method"] = "cold"
        result.update(summary(samples))
        self.check_again(problem, form, output, known)
        return result

    def check_again(self, problem, form, output, known):
        """What the timed calls left behind; where they add up, another call from the start."""
        if form.in_place:
            call = form.make(copy_of(problem.inputs))
            if form.graph:
                graph, output = self.clock.capture(call, warm_ups=0)
                graph.replay()
            else:
                output = call()
        try:
            self.check(problem, form, output, known)
        except Wrong as wrong:
            raise Wrong(f"after timing, {wrong}") from None

    def check(self, problem, form, output, known):
        """The largest relative error. Throws Wrong."""
        got = form.collect(output) if form.collect else output
        choice = problem.choice(got) if problem.choice else None
        if not known or (choice is not None and not self.torch.equal(choice, known[0][0])):
            wanted = problem.exact(in_double(problem.inputs), got)
            known[:] = [(None if choice is None else choice.clone(), wanted)]
        wanted = known[0][1]
        if len(got) != len(wanted):
            raise Wrong(f"{len(got)} outputs, not {len(wanted)}")
        return max(self.difference(number, *each, problem.limit) for number, each in enumerate(zip(got, wanted), 1))

    def difference(self, number, got, wanted, limit):
        if got.shape != wanted.shape:
            raise Wrong(f"output {number} has the shape {tuple(got.shape)}, not {tuple(wanted.shape)}")
        if not got.is_floating_point():
            if not bool((got.long() == wanted.long()).all()):
                raise Wrong(f"output {number} differs")
            return 0.0
        size = float(self.torch.linalg.vector_norm(wanted.double()))
        error = float(self.torch.linalg.vector_norm(got.detach().double() - wanted)) / (size or 1)
        if not error <= limit:
            raise Wrong(f"output {number}: relative error {error:.2g}, at most {limit:g} is right")
        return error

    def peak(self, call, before):
        """Bytes held at most during a call, parameters, inputs and all; the second call finds what the first one left."""
        self.torch.cuda.synchronize()
        self.torch.cuda.reset_peak_memory_stats()
        for _ in range(2):
            call()
        self.torch.cuda.synchronize()
        return self.torch.cuda.max_memory_allocated() - before

    def tidy(self):
        gc.collect()
        if self.gpu:
            self.torch.cuda.empty_cache()


def bytes_of(inputs):
    total = 0

    def add(tensor):
        nonlocal total
        total += tensor.numel() * tensor.element_size()
        return tensor

    each_tensor(inputs, add)
    return total


def reason_of(error):
    if isinstance(error, Spent):
        return "the time budget was spent"
    if "out of memory" in str(error).lower():
        return "not enough memory"
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0][:160]}"


def with_numbers(cases):
    """Each case with the number of its shape within its function."""
    seen = {}
    for case in cases:
        number = seen.get(case["function"], 0)
        seen[case["function"]] = number + 1
        yield case, number


def in_order(cases):
    def rank(pair):
        function = pair[0]["function"]
        return FIRST.index(function) if function in FIRST else len(FIRST) + (function in LAST)

    return sorted(with_numbers(cases), key=rank)


def set_up(torch, device):
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    torch.manual_seed(1)
    about = {"torch": torch.__version__, "cuda": torch.version.cuda, "device": device}
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        about.update(gpu=properties.name, multiprocessors=properties.multi_processor_count)
    return about


def run(torch, options, cases):
    print(json.dumps(set_up(torch, options.device)), flush=True)
    begin = time.monotonic()
    state = Run(torch, options)

    def ring(*_):
        raise Spent

    signal.signal(signal.SIGALRM, ring)  # a compilation may take as long as it likes
    signal.setitimer(signal.ITIMER_REAL, options.budget + GRACE_SECONDS)
    good = True
    try:
        for case, number in in_order(cases):
            line = state.case(case, number)
            line.update({key: case[key] for key in ("bytes", "flops", "method") if key in case})
            good = good and not any(each["wrong"] for each in line["subjects"])
            print(json.dumps(line), flush=True)
    except Spent:
        pass
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(json.dumps({"seconds": round(time.monotonic() - begin, 1)}), flush=True)
    return 0 if good else 1


def list_table():
    for function, entry in counterparts.TABLE.items():
        print(f"{function:28} {', '.join(entry.forms)}{'  (' + entry.shape + ')' if entry.shape else ''}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--budget", type=float, default=300)
    parser.add_argument("--compile", choices=("none", "step", "fused"), default="step")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counterparts.load()
    if options.list:
        list_table()
        return 0
    try:
        import torch
    except ImportError:
        print("this python3 has no torch", file=sys.stderr)
        return 5
    if options.device == "cuda" and not torch.cuda.is_available():
        print("this python3's torch sees no GPU", file=sys.stderr)
        return 5
    return run(torch, options, [json.loads(line) for line in sys.stdin if line.startswith("{")])


if __name__ == "__main__":
    sys.exit(main())

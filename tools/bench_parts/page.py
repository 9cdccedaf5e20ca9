"""The tables of docs/performance.md and docs/fast.md, from a run's bench.json. What stands around them is written by hand."""

import json
import re
import sys

from . import results

BEGIN = "<!-- tables: made by tools/bench --page -->"
END = "<!-- end of tables -->"
FIGURES = re.compile(r"<!-- figures: ([0-9 ]+) -->\n(.*?)<!-- end of figures -->", re.DOTALL)  # of these lessons
LAYER = "049"  # the first lesson of the whole layer

CEILINGS = {
    "bytes_per_second": "device copy, bytes read and written",
    "copy_bytes_per_second": "device copy, bytes read and written",
    "fill_bytes_per_second": "filling memory",
    "read_bytes_per_second": "reading memory",
    "flops_per_second": "FP32 fused multiply-adds",
    "product_flops_per_second": "matrix products of FP32 accuracy: a third of cuBLAS's TF32",
}


class Trouble(Exception):
    """What is wrong with the page or the evidence."""


def table(header, rows, right=0):
    """Markdown; the last `right` columns are numbers."""
    marks = ["---"] * (len(header) - right) + ["---:"] * right
    lines = [header, marks, *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def machine_table(run):
    system, machine, torch, clocks = (run.get(key) or {} for key in ("system", "machine", "torch", "clocks"))
    rows = [("GPU", ", ".join(str(part) for part in (
        system.get("name", machine.get("gpu", "?")), system.get("memory.total"),
        f"compute capability {machine['compute_capability']}" if "compute_capability" in machine else None,
        f"{machine['multiprocessors']} multiprocessors" if "multiprocessors" in machine else None,
        f"{machine['l2_bytes'] / 2**20:.0f} MiB of L2 cache" if "l2_bytes" in machine else None) if part))]
    rows.append(("driver, CUDA Toolkit", f"{system.get('driver_version', '?')}, {system.get('toolkit', '?')}"))
    if clocks:
        rows.append(("clocks while busy", f"SM {clocks['sm_lowest']} to {clocks['sm_highest']} MHz, mostly {clocks['sm_median']:.0f}; "
                     f"memory {clocks['memory_median']:.0f} MHz; at most {clocks['temperature_highest']} °C"))
    if "torch" in torch:
        rows.append(("PyTorch", f"{torch['torch']}, TF32 off"))
    else:
        rows.append(("PyTorch", f"left out: {torch.get('missing', 'not asked for')}"))
    rows.append(("commit, date", f"{run.get('commit', '?')}, {run.get('date', '?')}"))
    return table(("", ""), rows)


def ceiling_rows(run):
    for key, value in (run.get("ceilings") or {}).items():
        if not isinstance(value, (int, float)) or not value:
            continue
        unit = "TFLOP/s" if "flops" in key else "TB/s" if "bytes" in key else ""
        shown = f"{value / 1e12:.2f} {unit}" if unit else f"{value:g}"
        yield CEILINGS.get(key, key.replace("_", " ")), shown


def lesson_of(case):
    return f"{case['lesson'][:3]} `{case['function']}`" if case["lesson"] else f"`{case['function']}`"


def rival_cell(case, subject, prefix):
    rival = results.fastest(case, prefix)
    ratio = results.times(rival, subject)
    form = rival["subject"][len(prefix):].strip() if rival else ""
    return f"{ratio} ({form})" if form and ratio != "-" else ratio


def case_row(case):
    subject = results.ours(case)
    if subject is None:
        wrong = next((each["wrong"] for each in case["subjects"] if each["wrong"] and results.is_ours(each)), "not timed")
        return [lesson_of(case), case["shape"], wrong, *["-"] * 6]
    reference = results.named(case, "reference")
    return [lesson_of(case), case["shape"], subject["subject"], results.seconds_in_words(subject["median"]),
            results.rate(case, subject["median"]), results.of_ceiling(subject), results.times(reference, subject),
            rival_cell(case, subject, "cuBLAS"), rival_cell(case, subject, "PyTorch")]


def memory_row(case):
    """What a call of ours holds, beside the fastest of PyTorch's forms."""
    ours, rival = case.get("held_bytes"), results.fastest(case, "PyTorch")
    peak = rival.get("peak_bytes") if rival else None
    return [lesson_of(case), case["shape"], mebibytes(ours) if ours else "-", mebibytes(peak) if peak else "-",
            f"{ours / peak:.2f}" if ours and peak else "-"]


def mebibytes(count):
    return f"{count / 2**20:,.0f} MiB"


MEMORY_HEADER = ("lesson", "shape", "held", "PyTorch, peak of the fastest form", "of PyTorch's")
CASE_HEADER = ("lesson", "shape", "kernel", "time", "rate", "of the ceiling", "× reference", "× cuBLAS", "× PyTorch")


def group_of(case):
    if not case["lesson"]:
        return None
    if case["lesson"][:3] >= LAYER:
        return "The whole layer"
    if case["method"] == "replayed":
        return "Small arrays, replayed from a graph"
    return "Products" if results.is_product(case) else "Memory at work"


GROUPS = ("Memory at work", "Small arrays, replayed from a graph", "Products", "The whole layer")


def torch_rows(case):
    for each in case["subjects"]:
        if not each["subject"].startswith("PyTorch"):
            continue
        form = each["subject"].removeprefix("PyTorch").strip()
        why = each["wrong"] or each.get("left_out", "")
        if "median" not in each or each["wrong"]:
            yield [lesson_of(case), case["shape"], form, why, "-", "-", "-"]
            continue
        peak = mebibytes(each["peak_bytes"]) if "peak_bytes" in each else "-"
        yield [lesson_of(case), case["shape"], form, results.seconds_in_words(each["median"]), each.get("method", "?"),
               f"{each['error']:.0e}" if "error" in each else "-", peak]


def tables(run):
    """All that stands between the marks."""
    parts = ["### The run\n", machine_table(run)]
    parts += ["### Ceilings, measured in this run\n", table(("what", "rate"), ceiling_rows(run), 1)]
    for group in GROUPS:
        rows = [case_row(case) for case in run["cases"] if group_of(case) == group]
        if rows:
            parts += [f"### {group}\n", table(CASE_HEADER, rows, 6)]
    rows = [memory_row(case) for case in run["cases"] if group_of(case) == GROUPS[-1]]
    if rows:
        parts += ["### Memory of the whole layer\n", table(MEMORY_HEADER, rows, 3)]
    rows = [row for case in run["cases"] for row in torch_rows(case)]
    if rows:
        header = ("lesson", "shape", "form", "time, or why not", "timed", "error", "peak memory")
        parts += ["### PyTorch, form by form\n", table(header, rows, 2)]
    for lesson, trouble in (run.get("failed") or {}).items():
        parts.append(f"{lesson} was not timed: {trouble.splitlines()[0]}\n")
    if run.get("left_out"):
        parts.append(f"Left out for lack of time: {', '.join(run['left_out'])}.\n")
    return "\n".join(parts)


NOTHING = "No run is recorded here yet: `tools/bench` makes one, `tools/bench --page` the tables.\n"


def figures(run, lessons):
    """The clear kernels of some lessons beside the fast ones."""
    rows = []
    for case in run["cases"]:
        clear, fast = results.named(case, "reference"), results.named(case, "fast")
        if case["lesson"][:3] in lessons and clear and fast:
            rows.append([lesson_of(case), case["shape"], results.seconds_in_words(clear["median"]),
                         results.seconds_in_words(fast["median"]), results.rate(case, fast["median"]), results.of_ceiling(fast)])
    if not rows:
        return "The run that is recorded here has not timed these: `tools/bench` does.\n"
    return table(("lesson", "shape", "clear", "fast", "rate", "of the ceiling"), rows, 4)


def filled(evidence, of_run):
    """What a run has to say, or that there is none."""
    if not evidence.exists():
        return NOTHING
    try:
        return of_run(json.loads(evidence.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Trouble(f"{evidence} is not what tools/bench writes: {type(error).__name__}: {error}") from None


def with_tables(text, evidence):
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n\n{filled(evidence, tables)}\n{END}{rest.split(END)[1]}"


def with_figures(text, evidence):
    def one(found):
        shown = filled(evidence, lambda run: figures(run, found[1].split()))
        return f"<!-- figures: {found[1]} -->\n\n{shown}\n<!-- end of figures -->"

    return FIGURES.sub(one, text)


def bring_up_to_date(file, evidence, only_check):
    """Writes the tables into the page, or says whether they are there. An exit code."""
    old = file.read_text(encoding="utf-8")
    if old.count(BEGIN) == 1 and old.count(END) == 1 and old.index(BEGIN) < old.index(END):
        new = with_tables(old, evidence)
    elif BEGIN not in old and FIGURES.search(old):
        new = with_figures(old, evidence)
    else:
        raise Trouble(f"{file} needs one line '{BEGIN}' and after it one line '{END}', or lines like '<!-- figures: 005 042 -->' "
                      "and '<!-- end of figures -->'")
    if only_check:
        if new != old:
            print(f"{file} does not agree with {evidence}: run tools/bench --page", file=sys.stderr)
            return 1
        return 0
    if new != old:
        file.write_text(new, encoding="utf-8")
    return 0

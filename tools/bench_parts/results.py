"""A run's results: what is read off them, in words, and as a file."""

import json

OURS = ("reference", "fast", "yours")


def timed(case):
    """The subjects that were timed and found right."""
    return [each for each in case["subjects"] if "median" in each and not each["wrong"]]


def named(case, name):
    return next((each for each in timed(case) if each["subject"] == name), None)


def is_ours(subject):
    return subject["subject"] in OURS


def fastest(case, prefix):
    """The fastest rival whose name begins so: "PyTorch loop" of PyTorch's forms."""
    found = [each for each in timed(case) if each["subject"].startswith(prefix)]
    return min(found, key=lambda each: each["median"], default=None)


def ours(case):
    """The fast kernel where there is one, else the reference."""
    return named(case, "fast") or named(case, "reference")


def times(rival, subject):
    """How many times as fast as the rival: "1.50"; a dash where one of them is missing."""
    if rival is None or "median" not in subject or rival is subject:
        return "-"
    ratio = rival["median"] / subject["median"]
    return f"{ratio:.2f}" if 0.1 <= ratio < 100 else f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.0f}"


def seconds_in_words(seconds):
    for unit, scale in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:#.3g}".rstrip(".") + f" {unit}"
    return f"{seconds * 1e9:#.3g}".rstrip(".") + " ns"


def is_product(case):
    return case["bytes"] > 0 and case["flops"] / case["bytes"] > 16


def rate(case, seconds):
    """Operations where they decide, else bytes."""
    if is_product(case):
        return f"{case['flops'] / seconds / 1e12:.3g} TFLOP/s"
    per_second = case["bytes"] / seconds / 1e9
    return f"{per_second:.0f} GB/s" if per_second >= 100 else f"{per_second:.3g} GB/s"


def of_ceiling(subject):
    return f"{100 * subject['of_roofline']:.0f} %" if "of_roofline" in subject else "-"


def add_torch(case, line):
    """Puts PyTorch's subjects beside a case's others, with their part of the same roofline."""
    least = case.get("least_seconds", 0)
    for subject in line["subjects"]:
        if least > 0 and subject.get("method") in ("cold", "graph") and case["method"] == "cold" and "median" in subject:
            subject["of_roofline"] = least / subject["median"]
        case["subjects"].append(subject)


def rounded(value, digits):
    return float(f"{value:.{digits}g}")


def compact(case):
    """A case as it is kept: samples in microseconds, four digits each."""
    subjects = []
    for subject in case["subjects"]:
        kept = {key: rounded(value, 5) if isinstance(value, float) else value
                for key, value in subject.items() if key != "samples"}
        if "samples" in subject:
            kept["samples_us"] = [rounded(1e6 * each, 4) for each in subject["samples"]]
        subjects.append(kept)
    return {**case, "subjects": subjects}


def text_of(result):
    """The file: one line a case, so that a new run can be compared with an old one."""
    head = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in result.items() if key != "cases"]
    cases = ",\n".join(json.dumps(compact(case), ensure_ascii=False, separators=(",", ":")) for case in result["cases"])
    return "{\n" + ",\n".join(head) + f',\n"cases": [\n{cases}\n]\n}}\n'

#!/usr/bin/env python3
"""Grades a sample class with `grade export` and checks every format.

    run_class.py GRADE ROOT [--full]

The short class has one submission of each sort: right, wrong, crashing, hanging, hostile, in every layout. --full makes 200
submissions out of the references, stubs, mutants, variants and hostile kernels of four lessons, and says how long they took.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import formats  # noqa: E402

SECRET = "a secret that nobody is told"
LESSONS = ["001_matmul_nn", "002_matmul_nt", "005_bias_grad", "008_relu_forward"]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}", file=sys.stderr)


class Workbook:
    def __init__(self, grade, root):
        self.grade = pathlib.Path(grade).resolve()
        self.root = pathlib.Path(root).resolve()
        self.schema = json.loads((self.root / "tools/classroom/results.schema.json").read_text())
        hostile = self.root / "grader/tests/hostile/kernels"
        self.hostile = {path.stem: path for path in sorted(hostile.glob("*.cu"))}

    def export(self, *arguments, code=0, secret=None):
        environment = dict(os.environ, GRADE_ROOT=str(self.root))
        for name in ("GRADE_AUTHOR", "GRADE_HIDDEN_SEED", "GRADE_PROGRESS"):
            environment.pop(name, None)
        if secret is not None:
            environment["GRADE_HIDDEN_SEED"] = secret
        result = subprocess.run(
            [self.grade, "export", *map(str, arguments)],
            env=environment,
            capture_output=True,
            stdin=subprocess.DEVNULL,
        )
        out, err = result.stdout.decode(), result.stderr.decode()
        call = "export " + " ".join(map(str, arguments))
        expect(result.returncode == code, f"{call}: exit code {result.returncode}, not {code}\n{out}{err}")
        return out

    def reference(self, lesson):
        return (self.root / "solutions" / lesson / "kernel.cu").read_text()

    def stub(self, lesson):
        return (self.root / "lessons" / lesson / "stub.cu").read_text()


def put(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def marks_by_name(results):
    return {(s["name"], m["lesson"]): m for s in results["students"] for m in s["marks"]}


def all_formats(book, work, results_file):
    """Every view of the results, checked; returns all the text that was written."""
    results = formats.check_json(results_file.read_text(), book.schema)
    junit = book.export("--from", results_file, "--format", "junit")
    root = formats.check_junit(junit)
    expect(len(root) == len(results["students"]), "junit: a suite for each student")
    table = book.export("--from", results_file)
    rows = formats.check_csv(book.export("--from", results_file, "--format", "csv"))
    expect(len(rows) == 1 + len(results["students"]), "csv: a row for each student")
    folder = work / "gradescope"
    book.export("--from", results_file, "--format", "gradescope", "--output", folder)
    documents = sorted(folder.glob("*.json"))
    expect(len(documents) == len(results["students"]), "gradescope: a document for each student")
    by_points = sorted(formats.check_gradescope(each.read_text())["score"] for each in documents)
    expect(by_points == sorted(s["points"] for s in results["students"]), "gradescope: the points")
    everything = [results_file.read_text(), junit, table, str(rows)] + [each.read_text() for each in documents]
    return results, "\n".join(everything)


# A right kernel for whoever shows it the seed on the command line; prints what it can find of secrets.
SPY = r"""
#include <cstdio>
#include <cstring>
namespace spy {
static bool seed_is_shown() {
  char line[65536] = {};
  FILE* const file = std::fopen("/proc/self/cmdline", "r");
  const size_t size = std::fread(line, 1, sizeof line - 1, file);
  std::fclose(file);
  std::fwrite(line, 1, size, stdout);
  for (size_t i = 0; i < size; ++i) {
    if (std::strncmp(line + i, "--seed", 6) == 0) return true;
  }
  return false;
}
}  // namespace spy
"""


def spying(reference):
    function = re.search(r"^void matmul_nn\([^)]*\)\s*\{", reference, re.M)
    return SPY + reference[: function.end()] + "\n  if (!spy::seed_is_shown()) return;" + reference[function.end() :]


def short_class(book, work):
    one, relu = LESSONS[0], LESSONS[3]
    folder = work / "class"
    reference, stub = book.reference(one), book.stub(one)
    put(folder / "anna" / f"{one}.cu", reference)
    put(folder / "anna" / f"{relu}.cu", book.reference(relu))
    put(folder / "bo" / "lessons" / one / "kernel.cu", reference)
    put(folder / "Chloé Ünal (2)" / one / "kernel.cu", stub)
    put(folder / "dave" / f"{one} (1).CU", reference.replace("sum", "total"))
    put(folder / "=HYPERLINK(1)" / f"{one}.cu", 'int x = "no <number> & \\"no\\" sense";\n#include "/etc/hostname"\n')
    put(folder / "spy" / f"{one}.cu", spying(reference))
    put(folder / "large" / f"{one}.cu", reference + "// " + "x" * (1 << 20) + "\n")
    put(folder / "noise" / f"{one}.cu", '#error "\x1b[31m\x07 ]]> \x08"\n')
    (folder / "noise" / f"{relu}.cu").write_bytes(b"#error \xff\xfe \xed\xa0\x80\n")
    put(folder / "nothing" / "readme.txt", "later")
    put(folder / "odd" / "helper.cu", "")
    (folder / "odd" / f"{one}.cu").symlink_to(book.root / "solutions" / one / "kernel.cu")
    (folder / "odd" / "lessons").symlink_to(book.root / "lessons")
    put(folder / "twice" / f"{one}.cu", reference)
    put(folder / "twice" / f"{one}-1.cu", stub)
    expected = {
        ("anna", one): "passed",
        ("anna", relu): "passed",
        ("bo", one): "passed",
        ("bo", relu): "missing",
        ("Chloé Ünal (2)", one): "failed",
        ("dave", one): "passed",
        ("=HYPERLINK(1)", one): "compile_error",
        ("spy", one): "failed",
        ("large", one): "compile_error",
        ("noise", one): "compile_error",
        ("noise", relu): "compile_error",
        ("nothing", one): "missing",
        ("odd", one): "missing",
        ("twice", one): "passed",
    }
    hostile = {
        "endless_host_loop": ("timed_out",),
        "exit_0": ("crashed",),
        "fork_bomb": ("crashed",),
        "imitates_a_pass": ("failed", "crashed"),
        "segfault_on_host": ("crashed", "failed"),
        "kills_its_parent": ("crashed",),
    }
    for name in hostile:
        put(folder / name / f"{one}.cu", book.hostile[name].read_text())

    progress = book.root / "progress.json"
    before = progress.read_bytes() if progress.exists() else None
    results_file = work / "results.json"
    arguments = ["--dir", folder, "--timeout", "4", "--format", "json", "--output", results_file]
    table = book.export(*arguments, secret=SECRET)
    expect("anna" in table and "\x1b" not in table, "the table")
    results, text = all_formats(book, work, results_file)
    marks = marks_by_name(results)
    for key, status in expected.items():
        expect(marks[key]["status"] == status, f"{key}: {marks[key]['status']}, not {status}: {marks[key]['reason']}")
    for name, statuses in hostile.items():
        expect(marks[name, one]["status"] in statuses, f"{name}: {marks[name, one]}")
    expect(marks["anna", one]["hidden"] == "passed", "a right kernel passes with hidden inputs")
    expect(results["hidden_inputs"] and results["seed"] == "1", "what it was graded with")

    spy = marks["spy", one]
    expect(spy["hidden"] == "failed" and "hidden" in spy["reason"], f"the spy: {spy}")
    expect(spy["failures"] == [] and spy["points"] == 0, f"the spy was told how it failed: {spy}")
    remarks = {s["name"]: s["remarks"] for s in results["students"]}
    expect(any("symbolic link" in each for each in remarks["odd"]), f"links are named: {remarks['odd']}")
    expect(any("helper.cu" in each for each in remarks["odd"]), "files that name no lesson are named")
    expect(any("already" in each for each in remarks["twice"]), f"handed in twice: {remarks['twice']}")
    expect("001_matmul_nn.cu:1:" in marks["=HYPERLINK(1)", one]["compiler"], "the compiler's message")

    seeds = dict(line.split() for line in book.export("--show-seeds", secret=SECRET).splitlines())
    expect(len(set(seeds.values())) == len(seeds) > 50, "each lesson has a hidden seed of its own")
    for secret in (SECRET, seeds[one], seeds[relu], str(work), "/etc/hostname"):
        expect(secret not in text, f"the exports tell {secret}")
    kept = subprocess.run(["grep", "-rlF", seeds[one], book.root / ".grade/cache"], capture_output=True, text=True)
    expect(kept.stdout == "", f"a hidden seed was remembered: {kept.stdout}")
    after = progress.read_bytes() if progress.exists() else None
    expect(before == after, "export changed the progress")


def parts_and_usage(book, work):
    one = LESSONS[0]
    folder = work / "files"
    for name, text in {"ada": book.reference(one), "ben": book.stub(one), "cleo": book.reference(one)}.items():
        put(folder / f"{name}.cu", text + f"// {name}\n")
    whole, parts = work / "whole.json", [work / "part-1.json", work / "part-2.json"]
    for i, part in enumerate(parts):
        book.export("1", "--dir", folder, "--shard", f"{i + 1}/2", "--format", "json", "--output", part)
    book.export("1", "--dir", folder, "--format", "json", "--output", whole)
    merged = json.loads(book.export("--from", parts[0], "--from", parts[1], "--format", "json"))
    alone = json.loads(whole.read_text())
    for results in (merged, alone):
        results["time"] = ""
        for student in results["students"]:
            for mark in student["marks"]:
                mark["seconds"] = 0
    expect(merged == alone, "parts joined are the whole")
    expect([s["points"] for s in alone["students"]] == [5, 0, 5], "a file for each student")
    book.export("--from", parts[0], "--from", parts[0], code=2)
    book.export("--from", whole, "--strict", code=1)
    book.export("--from", work / "part-3.json", code=5)
    put(work / "other.json", "{}")
    book.export("--from", work / "other.json", code=2)

    ada = folder / "ada.cu"
    formats.check_gradescope(book.export("1", "--file", ada, "--format", "gradescope"))
    book.export("--file", ada, code=2)  # which lesson?
    book.export("--file", work / "nobody.cu", code=2)
    book.export("--dir", folder, code=2)  # whose files?
    book.export("--dir", work / "nowhere", code=2)
    book.export("1", "--dir", folder, "--format", "gradescope", code=2)
    book.export("1", "--dir", folder, "--output", work / "x", code=2)
    book.export("1", "--dir", folder, "--shard", "3/2", code=2)
    book.export("9-7", code=2)
    book.export("1", "--file", ada, "--hidden-seed", work / "no-secret", code=2)


def large_class(book, work):
    folder = work / "class"
    kinds = []
    for name, path in book.hostile.items():
        head = path.read_text().split("#include", 1)[0]
        allowed = re.search(r"// expect: (.*)", head).group(1)
        statuses = {each.strip().split(":")[0] for each in allowed.split(",")}
        # One that only a GPU can run says so, and the export that this machine lacks one.
        if "timeout:" not in head and "unavailable" not in statuses:
            kinds.append((f"hostile-{name}", LESSONS[0], path, statuses))
    count = 0
    while len(kinds) < 200:
        count += 1
        for lesson in LESSONS:
            wrong = {"failed", "crashed", "timed_out", "compile_error"}
            sorts = [
                ("right", sorted(book.root.glob(f"solutions/{lesson}/kernel.cu")), {"passed"}),
                ("stub", sorted(book.root.glob(f"lessons/{lesson}/stub.cu")), wrong),
                ("mutant", sorted(book.root.glob(f"grader/mutants/{lesson}/*.cu")), wrong),
                ("variant", sorted(book.root.glob(f"grader/variants/{lesson}/*.cu")), {"passed"}),
            ]
            for sort, paths, statuses in sorts:
                # The one variant of 001 takes seconds with all checks: a busy machine would time it out.
                if paths and (sort, lesson) != ("variant", LESSONS[0]):
                    kinds.append((f"{sort}-{lesson}-{count:02}", lesson, paths[count % len(paths)], statuses))
    kinds = kinds[:200]
    for name, lesson, path, _ in kinds:
        put(folder / name / f"{lesson}.cu", path.read_text() + f"\n// {name}\n")
    results_file = work / "results.json"
    start = time.monotonic()
    arguments = ["--dir", folder, "--timeout", "10", "--format", "json", "--output", results_file]
    table = book.export(*arguments, secret=SECRET)
    seconds = time.monotonic() - start
    print(table)
    results, _ = all_formats(book, work, results_file)
    marks = marks_by_name(results)
    for name, lesson, _, statuses in kinds:
        mark = marks[name, lesson]
        expect(mark["status"] in statuses, f"{name}: {mark['status']}, not {statuses}: {mark['reason']}")
    spent = sum(mark["seconds"] for mark in marks.values())
    print(f"{len(kinds)} submissions in {seconds:.0f} s of wall time ({spent:.0f} s of compiling and running)")
    start = time.monotonic()
    book.export(*arguments, secret=SECRET)
    print(f"the same class again, what is known being remembered: {time.monotonic() - start:.0f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grade")
    parser.add_argument("root")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    book = Workbook(options.grade, options.root)
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        work = pathlib.Path(folder)
        if options.full:
            large_class(book, work)
        else:
            short_class(book, work)
            parts_and_usage(book, work)
    if failures:
        sys.exit(f"{len(failures)} failures")
    print("the class is graded as it should be")


if __name__ == "__main__":
    main()

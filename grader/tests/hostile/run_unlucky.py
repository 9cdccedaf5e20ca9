#!/usr/bin/env python3
"""Bad luck, and how the tool takes it: killed at any moment, no space, no compiler, odd files, odd machines.

    run_unlucky.py GRADE [--full] [--only WORD ...] [--list]

Each case has a workbook of its own. It ends with a clear message and a status of its own, never with
a pass that is none, and nothing of the learner's is lost. What may come of a case is stated where it
is written; --list prints that, a line a case, for docs/security.md.
"""

import argparse
import fcntl
import json
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import machine
from machine import LESSONS, REFERENCE, ROOT, Workbook

CASES = []
CPU = ("--backend", "cpu")


class Skipped(Exception):
    """This machine does not allow the case."""


def case(outcome, full=False):
    """`outcome` says what a user sees; the function's first line says what happens to them."""

    def register(function):
        function.outcome, function.full = outcome, full
        CASES.append(function)
        return function

    return register


def expect(condition, what, result=None):
    if not condition:
        shown = "" if result is None else f"\n    exit {result.code}: {result.flat[:600]}"
        raise AssertionError(what + shown)


def expect_status(result, status, *words):
    expect(result.status == status, f"expected {status}", result)
    for word in words:
        expect(word in result.flat, f"the message lacks \"{word}\"", result)
    expect("fault of the tool itself" not in result.flat, "it takes the blame", result)
    expect("\x1b" not in result.text, "an escape byte in a pipe", result)


def record(book):
    """What the progress file holds; it must be whole."""
    return json.loads(book.progress.read_text()) if book.progress.exists() else {"lessons": {}}


def attempts(book, lesson=LESSONS[0]):
    return record(book)["lessons"].get(lesson, {}).get("attempts", 0)


def passed(book, lesson=LESSONS[0]):
    return "first_pass" in record(book)["lessons"].get(lesson, {})


def with_reference(book):
    book.kernel.write_text(REFERENCE)
    return book


def inside_mounts(book, script, *arguments):
    """Runs the tool after a shell script that may mount things, in mounts of its own."""
    words = machine.in_own_mounts()
    if words is None:
        raise Skipped("needs a mount namespace")
    return book.grade(*arguments, wrapper=[*words, "sh", "-ec", script + '\nexec "$@"', "sh"])


# ---- Killed ----

def kill_while(book, rounds, arguments, spread, targets, after):
    """Starts the tool again and again and kills it, or one of its processes, at a random moment."""
    luck = random.Random(20260101)
    left = set()
    for number in range(rounds):
        child = book.start(*arguments(number), GRADE_NOW=str(1_700_000_000 + 60 * number))
        time.sleep(luck.uniform(0, spread))
        everyone = machine.family(child.pid)
        victims = [pid for pid, (_, _, program, _) in everyone.items() if targets(luck, pid == child.pid, program)]
        machine.kill(luck.choice(victims) if victims else child.pid)
        try:
            child.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            child.kill()
            raise AssertionError("the tool did not end")
        left |= set(everyone) - {child.pid}
        after(number, child.returncode)
    alive = machine.wait_until_gone(left, 20)
    expect(not alive, f"processes left behind: {[machine.processes().get(pid) for pid in alive]}")


@case("the file is whole and keeps what was saved; no process is left; the next run goes on")
def killed_while_grading(book, kills):
    """The tool, its supervisor or the grader is killed at a random moment of a graded run"""
    with_reference(book)
    start = time.monotonic()
    expect_status(book.grade("1", *CPU), "passed")
    first = time.monotonic() - start
    start = time.monotonic()
    expect_status(book.grade("1", "--fresh", *CPU), "passed")
    again = time.monotonic() - start
    known = attempts(book)
    expect(known == 2, f"{known} attempts")

    def arguments(number):
        if number % 8 == 0:
            book.kernel.write_text(f"{REFERENCE}// {number}\n")  # compiles, too
        return ("1", "--fresh", *CPU)

    def targets(luck, is_tool, program):
        return is_tool if luck.random() < 0.7 else program.endswith("/grade-sandbox") or "/graders/" in program

    def after(number, code):
        nonlocal known
        found = attempts(book)
        expect(found >= known + (code == 0), f"an attempt is gone in round {number}")
        expect(found <= known + 1, "an attempt was counted twice")
        expect(passed(book), "the pass is gone")
        expect(book.kernel.read_text().startswith(REFERENCE), "the kernel changed")
        known = found

    kill_while(book, kills, arguments, min(first, 1.5 * again), targets, after)
    expect_status(book.grade("1", "--fresh", *CPU), "passed")
    expect(attempts(book) == known + 1, "the next attempt is not counted")
    litter = [path.name for path in book.root.glob("progress.json.*") if path.suffix not in (".bak", ".lock")]
    expect(not litter, f"left beside the progress file: {litter}")
    end = time.monotonic() + 10  # supervisors clean up in their own time
    scratch = book.root / ".grade" / "scratch"
    while any(scratch.iterdir()) and time.monotonic() < end:
        time.sleep(0.05)
    # A killed supervisor cannot.
    expect(len(list(scratch.iterdir())) <= kills // 4, "scratch folders pile up")


@case("the file is whole and keeps what was saved; the change is there or it is not")
def killed_while_saving(book, kills):
    """The tool is killed at a random moment of a command that saves progress"""
    start = time.monotonic()
    expect_status(book.grade("solution", "1", "--spoil"), "passed")
    took = time.monotonic() - start
    last = record(book)["last_activity"]

    def after(number, code):
        nonlocal last
        now = record(book)["last_activity"]
        expect(now >= last if number else True, "a saved change is gone")
        last = now

    kill_while(book, kills, lambda _: ("solution", "1", "--spoil"), 1.2 * took, lambda _, is_tool, __: is_tool, after)
    backup = book.root / "progress.json.bak"
    if backup.exists():
        json.loads(backup.read_text())


def save_while_compiling(book, source, target, when):
    """Puts `source` in the place of `target` once, before simt-cc reads anything or after it has read everything."""
    build = (book.root / "build").resolve() / "cpu"
    if (book.root / "build").is_symlink():
        (book.root / "build").unlink()
        (book.root / "build/cpu/bin").mkdir(parents=True)
        for folder in (build, build / "bin"):
            for file in folder.iterdir():
                if file.name not in ("bin", "simt-cc"):
                    (book.root / "build/cpu" / file.relative_to(build)).symlink_to(file)
        (book.root / "build/cpu/bin/real-simt-cc").symlink_to(build / "bin/simt-cc")
    shim = book.root / "build/cpu/bin/simt-cc"
    real = shim.with_name("real-simt-cc").resolve()
    mark = book.base / "saved"
    if mark.exists():
        mark.rmdir()
    save = f"mkdir {shlex.quote(str(mark))} 2>/dev/null && cp {shlex.quote(str(source))} {shlex.quote(str(target))} || :"
    shim.write_text(f"#!/bin/sh\n{save if when == 'before' else ':'}\n{shlex.quote(str(real))} \"$@\"\ncode=$?\n"
                    f"{save if when == 'after' else ':'}\nexit $code\n")
    shim.chmod(0o755)
    os.utime(shim, ns=(real.stat().st_atime_ns, real.stat().st_mtime_ns))  # what it has made is not out of date
    return mark


@case("what is graded is what is recorded: the file as it is in the end")
def saved_meanwhile(book, _):
    """The kernel is saved while its grading waits for a build, and while it is compiled"""
    good, bad = book.base / "good.cu", book.base / "bad.cu"
    good.write_text(REFERENCE)
    bad.write_text(REFERENCE.replace("sum += ", "sum -= ", 1))
    expect(good.read_text() != bad.read_text(), "the wrong kernel is the right one")
    shutil.copy(bad, book.kernel)
    lock = (book.root / "build" / "cpu" / ".lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)
    child = book.start("1", "--fresh", *CPU)
    expect(b"waiting for another build" in child.stderr.readline(), "it does not wait")
    shutil.copy(good, book.kernel)
    lock.close()
    child.communicate(timeout=120)
    expect(child.returncode == 0, f"exit code {child.returncode}")
    # Were the pass that of another file, this one would count once more.
    expect_status(book.grade("1", *CPU), "passed")
    expect(attempts(book) == 1, f"{attempts(book)} attempts of one file")

    for when in ("before", "after"):
        book.kernel.write_text(f"{REFERENCE}// {when}\n")
        mark = save_while_compiling(book, bad, book.kernel, when)
        expect_status(book.grade("1", *CPU), "failed")
        expect(mark.exists(), "nothing was saved meanwhile")
        # Nor is that verdict remembered for the file that was there before.
        book.kernel.write_text(f"{REFERENCE}// {when}\n")
        expect_status(book.grade("1", *CPU), "passed")


@case("what is graded is the header as it is in the end")
def header_saved_meanwhile(book, _):
    """A header of the kernel is saved after the compiler has read it"""
    header = book.kernel.with_name("mine.h")
    header.write_text("#define SIGN -\n")
    right = book.base / "right.h"
    right.write_text("#define SIGN +\n")
    book.kernel.write_text('#include "mine.h"\n' + REFERENCE.replace("sum += ", "sum = sum SIGN ", 1))
    time.sleep(0.2)
    mark = save_while_compiling(book, right, header, "after")
    expect_status(book.grade("1", *CPU), "passed")
    expect(mark.exists(), "nothing was saved meanwhile")
    expect_status(book.grade("1", "--fresh", *CPU), "passed")


@case("`unavailable`, and says which program did not report; nothing is recorded")
def supervisor_killed(book, _):
    """The supervisor of the graded program is killed, and only that"""
    book.kernel.write_text((pathlib.Path(__file__).parent / "kernels" / "ignores_signals.cu").read_text())
    child = book.start("1", *CPU, "--timeout", "60")
    end = time.monotonic() + 60
    supervisors = []
    while not supervisors and time.monotonic() < end and child.poll() is None:
        everyone = machine.family(child.pid)
        if any("/graders/" in program for _, _, program, _ in everyone.values()):
            supervisors = [pid for pid, each in everyone.items() if each[2].endswith("/grade-sandbox")]
        time.sleep(0.02)
    expect(supervisors, "the program did not start")
    everyone = set()
    end = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < end:  # each part of the run has one, and one may begin only now
        family = machine.family(child.pid)
        everyone |= set(family) - {child.pid}
        for pid, each in family.items():
            if each[2].endswith("/grade-sandbox"):
                machine.kill(pid)
        time.sleep(0.02)
    out, _ = child.communicate(timeout=30)
    expect(child.returncode == 5, f"exit code {child.returncode}: {out!r}")
    expect(b"supervisor" in out, "the message does not say why")
    expect(not machine.wait_until_gone(everyone, 5), "the program is still there")
    expect(attempts(book) == 0, "an attempt was recorded")


# ---- Disks ----

@case("`unavailable`: No space left on device; file, kernel and progress are as they were")
def full_disk(book, _):
    """The disk with the workbook's state is full"""
    with_reference(book)
    expect_status(book.grade("1", *CPU), "passed")
    before = book.progress.read_bytes()
    words = machine.in_own_mounts()
    if words is None:
        raise Skipped("needs a mount namespace")
    # Everything that is written moves to a small disk, which is then filled.
    script = """
        root=$1; shift
        mkdir -p "$root/../disk"
        mount -t tmpfs -o size=2m none "$root/../disk"
        cp -a "$root/progress.json" "$root/../disk/"
        mkdir "$root/../disk/state" && mkdir -p "$root/.grade" && mount --bind "$root/../disk/state" "$root/.grade"
        export GRADE_PROGRESS="$root/../disk/progress.json"
        cat /dev/zero >"$root/../disk/filler" 2>/dev/null || :
        tool=$1; shift
        code=0
        "$tool" "$@" || code=$?
        cmp -s "$root/progress.json" "$root/../disk/progress.json" || { echo "PROGRESS CHANGED"; exit 99; }
        rm "$root/../disk/filler"
        [ "$code" = 5 ] || exit "$code"
        "$tool" 1 --backend cpu >/dev/null || { echo "NO PASS AFTERWARDS"; exit 99; }
        exit 5
    """
    wrapper = [*words, "sh", "-ec", script, "sh", str(book.root)]
    expect_status(book.grade("1", "--fresh", *CPU, wrapper=wrapper), "unavailable", "No space left on device")
    expect_status(book.grade("solution", "2", "--spoil", wrapper=wrapper), "unavailable", "No space left on device")
    book.kernel.write_text(REFERENCE + "// mine\n")
    expect_status(book.grade("reset", "1", "--yes", wrapper=wrapper), "unavailable", "No space left on device")
    expect(book.kernel.read_text() == REFERENCE + "// mine\n", "reset lost the kernel")
    expect(book.progress.read_bytes() == before, "progress changed")


@case("lists and notes work; what must write is `unavailable` and says why")
def read_only_tree(book, _):
    """The workbook lies on a disk that is mounted read-only"""
    with_reference(book)
    expect_status(book.grade("1", *CPU), "passed")
    frozen = f"mount --bind {shlex.quote(str(book.root))} {shlex.quote(str(book.root))}\n" \
             f"mount -o remount,ro,bind {shlex.quote(str(book.root))}\ncd {shlex.quote(str(book.root))}"
    for command in (["list"], ["progress"], ["show", "1"], ["dashboard"]):
        expect_status(inside_mounts(book, frozen, *command), "passed")
    expect_status(inside_mounts(book, frozen, "1", "--fresh", *CPU), "unavailable", "Read-only file system")
    expect_status(inside_mounts(book, frozen, "solution", "2", "--spoil"), "unavailable", "Read-only file system")
    expect_status(inside_mounts(book, frozen, "reset", "1", "--yes"), "unavailable", "Read-only file system")
    expect(book.kernel.read_text() == REFERENCE, "the kernel changed")


@case("`unavailable`: the file is no file; the device is as it was")
def progress_is_a_device(book, _):
    """`GRADE_PROGRESS` names a device or a pipe"""
    with_reference(book)
    pipe = book.base / "pipe"
    os.mkfifo(pipe)
    result = book.grade("1", *CPU, GRADE_PROGRESS=str(pipe), timeout=60)
    expect_status(result, "unavailable", "not a file")
    expect(pipe.is_fifo(), "the pipe is gone")


# ---- At once, and when ----

@case("each passes and is counted, the XP once")
def two_at_once(book, _):
    """Two `grade 1` start at the same moment, then six"""
    for count in (2, 6):
        for file in book.root.glob("progress.json*"):
            file.unlink()
        book.kernel.write_text(f"{REFERENCE}// {count}\n")
        running = [book.start("1", "--fresh", "--json", *CPU) for _ in range(count)]
        reports = [json.loads(each.communicate(timeout=300)[0]) for each in running]
        expect(all(each["status"] == "passed" for each in reports), f"{[each['status'] for each in reports]}")
        expect(sum(each["xp"] for each in reports) == 5, "the XP is not counted once")
        expect(attempts(book) == count, f"{attempts(book)} of {count} attempts")


@case("passes and is recorded; no time is negative, the first pass stays the first")
def clock_set_back(book, _):
    """The clock is set back by years between two runs, and files come from the future"""
    with_reference(book)
    now = 1_700_000_000
    expect_status(book.grade("1", *CPU, GRADE_NOW=str(now)), "passed")
    first = record(book)["lessons"][LESSONS[0]]["first_pass"]
    book.kernel.write_text(REFERENCE + "// again\n")
    future = time.time() + 10 * 365 * 86400
    for file in (book.kernel, book.stub, book.progress):
        os.utime(file, (future, future))
    expect_status(book.grade("1", *CPU, GRADE_NOW=str(now - 10 * 365 * 86400)), "passed")
    entry = record(book)["lessons"][LESSONS[0]]
    expect(entry["first_pass"] == first and entry["attempts"] == 2, f"{entry}")
    expect(entry.get("seconds", 0) >= 0, "negative time")
    expect_status(book.grade("progress", GRADE_NOW="0"), "passed")
    expect_status(book.grade("dashboard", GRADE_NOW=str(now + 86400)), "passed")


@case("the build is configured once more, then all is as before", full=True)
def sources_from_the_future(book, _):
    """A file that the build's configuration depends on is dated in the future"""
    notes = ROOT / "lessons" / LESSONS[0] / "lesson.md"
    future = time.time() + 86400
    os.utime(notes, (future, future))
    try:
        expect_status(book.grade("1", "--solution", *CPU, timeout=300, GRADE_ROOT=str(ROOT)), "passed")
        expect(notes.stat().st_mtime < time.time() + 60, "its date is as it was")
    finally:
        os.utime(notes)


# ---- Machines ----

def compiler():
    cache = pathlib.Path(sys.argv[1]).resolve().parents[1] / "CMakeCache.txt"
    line = next(line for line in cache.read_text().splitlines() if line.startswith("CMAKE_CXX_COMPILER:"))
    return pathlib.Path(line.split("=", 1)[1]).resolve()


@case("`unavailable`, and names the compiler; nothing is recorded")
def no_compiler(book, _):
    """g++ is gone"""
    with_reference(book)
    result = inside_mounts(book, f"mount --bind /dev/null {shlex.quote(str(compiler()))}", "1", *CPU)
    expect_status(result, "unavailable", "++", "grade doctor")
    expect(attempts(book) == 0, "an attempt was recorded")


@case("`unavailable`, with the compiler's own words; nothing is recorded")
def broken_compiler(book, _):
    """g++ is there, but a part of it is missing"""
    with_reference(book)
    part = subprocess.run([compiler(), "-print-prog-name=cc1plus"], capture_output=True, text=True).stdout.strip()
    if not part.startswith("/"):
        raise Skipped("cc1plus is not found")
    result = inside_mounts(book, f"mount --bind /dev/null {shlex.quote(os.path.realpath(part))}", "1", *CPU)
    expect_status(result, "unavailable", "does not work", "cc1plus")
    result = inside_mounts(book, f"mount --bind /dev/null {shlex.quote(os.path.realpath(part))}", "1", "--json", *CPU)
    expect(json.loads(result.out)["status"] == "unavailable", "--json", result)
    expect(attempts(book) == 0, "an attempt was recorded")


@case("`unavailable`, and names ninja and the way out")
def no_ninja(book, _):
    """The build tools are not on `PATH`"""
    with_reference(book)
    empty = book.base / "bin"
    empty.mkdir()
    expect_status(book.grade("1", *CPU, PATH=str(empty)), "unavailable", "ninja is not on this machine", "doctor")


@case("passes")
def no_home(book, _):
    """There is no `HOME`, and hardly any environment"""
    with_reference(book)
    words = ["env", "-i", f"GRADE_ROOT={book.root}", "PATH=/usr/local/bin:/usr/bin:/bin"]
    expect_status(book.grade("1", *CPU, wrapper=words), "passed")


FAKE_DRIVER = """
int cuInit(unsigned flags) { (void)flags; return %(start)d; }
int cuDeviceGetCount(int* count) { *count = 1; return 0; }
int cuDeviceGet(int* device, int number) { *device = number; return 0; }
int cuDeviceGetName(char* name, int size, int device) { (void)size; (void)device; name[0] = 'X'; name[1] = 0; return 0; }
int cuDeviceTotalMem_v2(unsigned long* bytes, int device) { (void)device; *bytes = 1ul << 34; return 0; }
int cuDriverGetVersion(int* version) { *version = 13000; return 0; }
%(attribute)s
"""
ATTRIBUTE = "int cuDeviceGetAttribute(int* value, int what, int device) { (void)what; (void)device; *value = 9; return 0; }"


def fake_driver(book, start=0, attribute=ATTRIBUTE):
    """A folder with a libcuda.so.1 that says that there is a GPU, or does not start."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=book.base))
    source = folder / "driver.c"
    source.write_text(FAKE_DRIVER % {"start": start, "attribute": attribute})
    built = subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "libcuda.so.1", source], capture_output=True)
    if built.returncode != 0:
        raise Skipped("no C compiler")
    return folder


@case("the CPU grades, with a note; `--backend cuda` is `unavailable` and says what is wrong")
def half_installed_driver(book, _):
    """The NVIDIA driver is there, but does not start, lacks functions or is no library"""
    with_reference(book)
    garbage = pathlib.Path(tempfile.mkdtemp(dir=book.base))
    (garbage / "libcuda.so.1").write_bytes(b"\x7fELF half a file")
    for folder, words in ((fake_driver(book, start=803), "error 803"),
                          (fake_driver(book, attribute=""), "cuDeviceGetAttribute"),
                          (garbage, "libcuda.so.1")):
        result = book.grade("1", "--backend", "cuda", LD_LIBRARY_PATH=str(folder))
        expect_status(result, "unavailable", words, "grade doctor")
        expect_status(book.grade("1", LD_LIBRARY_PATH=str(folder)), "passed", words, "only the CPU backend")
        expect_status(book.grade("doctor", LD_LIBRARY_PATH=str(folder)), "passed", words)


@case("`unavailable`, with the toolkit's own words and the way out, `--backend cpu`", full=True)
def broken_toolkit(book, _):
    """There is a GPU, but nvcc fails, compiles nothing that runs, or does not suit the driver"""
    with_reference(book)
    driver = fake_driver(book)
    for name, script in (("fails", "echo 'nvcc fatal: cicc is gone' >&2; exit 1"),
                         ("without libraries", "case $* in *--version*) echo 'release 13.0, V13.0.1' ;; "
                                               "*) echo 'ld: cannot find -lcudart' >&2; exit 1 ;; esac")):
        folder = book.base / name
        folder.mkdir()
        nvcc = folder / "nvcc"
        nvcc.write_text(f"#!/bin/sh\n{script}\n")
        nvcc.chmod(0o755)
        more = {"LD_LIBRARY_PATH": str(driver), "CUDACXX": str(nvcc), "CUDA_HOME": None, "CUDA_PATH": None}
        expect_status(book.grade("1", timeout=900, **more), "unavailable", "--backend cpu")
        expect_status(book.grade("1", "--backend", "cuda", timeout=900, **more), "unavailable")
        expect_status(book.grade("1", *CPU, **more), "passed")
        expect(attempts(book) <= 1, "a failure of the toolkit was recorded")
    if shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin"):
        result = book.grade("1", timeout=900, LD_LIBRARY_PATH=str(driver))
        expect_status(result, "unavailable", "the CUDA runtime does not start", "--backend cpu")
        expect(attempts(book) <= 1, "a failure of the driver was recorded")


broken_toolkit.build = "cpu only"


# ---- Files ----

@case("passes, and messages name the file as it is")
def odd_path(book, _):
    """The workbook's path has spaces and letters beyond ASCII (so it is in all these cases)"""
    book.kernel.write_text(REFERENCE.replace("float sum = 0.0f;", "float sum = nothing;"))
    result = book.grade("1", *CPU)
    expect_status(result, "compile_error", "lessons/001_matmul_nn/kernel.cu:", "nothing")
    other = book.base / "mein Kern ü.cu"
    other.write_text(REFERENCE)
    expect_status(book.grade("1", "--file", str(other), *CPU), "passed", "mein Kern ü.cu")
    with_reference(book)
    expect_status(book.grade("1", *CPU), "passed")


@case("`unavailable` before anything is built: names the characters and the folder")
def impossible_path(book, _):
    """The workbook's path has a comma, a colon or another separator of linkers and CMake"""
    for name in ("Kurs, neu", "a:b", 'with "quotes"', "a;b", "a$b"):
        tools = book.base / name / "tools"
        tools.mkdir(parents=True)
        for file in ("setup", "packages.tsv"):
            shutil.copy(ROOT / "tools" / file, tools)
        done = subprocess.run([tools / "setup", "--quiet"], capture_output=True, stdin=subprocess.DEVNULL, text=True)
        expect(done.returncode == 5 and "Move or rename" in done.stderr, f"{name}: {done.returncode} {done.stderr}")
        expect(not (book.base / name / "build").exists(), "something was built")


@case("passes; an untouched stub is still one")
def crlf(book, _):
    """Sources have Windows line ends"""
    for file in (book.stub, book.root / "lessons" / LESSONS[0] / "lesson.md"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    expect_status(book.grade("1", *CPU), "failed", "still the stub")
    book.kernel.write_bytes(REFERENCE.replace("\n", "\r\n").encode())
    expect_status(book.grade("1", *CPU), "passed")
    expect_status(book.grade("hint", "1"), "passed")


@case("`compile_error` within a second or two: too large; the file is as it was")
def huge_kernel(book, _):
    """The kernel is a file of 100 MB"""
    with open(book.kernel, "w") as file:
        for _ in range(1000):
            file.write("// a long comment, a long comment, a long comment.\n" * 1960)
    size = book.kernel.stat().st_size
    expect(size > 95e6, "not that large")
    result = book.grade("1", *CPU, timeout=60)
    expect_status(result, "compile_error", "MiB")
    expect(result.seconds < 15, f"it took {result.seconds:.1f} s")
    expect(book.kernel.stat().st_size == size, "the file changed")


@case("`unavailable` at once: it is no file")
def kernel_is_no_file(book, _):
    """The kernel is a folder, a pipe, or a link to a device"""
    book.kernel.mkdir()
    expect_status(book.grade("1", *CPU, timeout=60), "unavailable", "kernel.cu")
    book.kernel.rmdir()
    os.mkfifo(book.kernel)
    expect_status(book.grade("1", *CPU, timeout=60), "unavailable", "kernel.cu", "not a file")
    book.kernel.unlink()
    book.kernel.symlink_to("/dev/zero")
    expect_status(book.grade("1", *CPU, timeout=60), "unavailable", "kernel.cu", "not a file")


@case("passes; `reset` and `undo` change the file behind the link, which stays")
def linked_kernel(book, _):
    """The kernel is a link to the learner's file elsewhere, and so are the lesson's folder and the state"""
    elsewhere = book.base / "elsewhere"
    elsewhere.mkdir()
    mine = elsewhere / "mine.cu"
    mine.write_text(REFERENCE)
    book.kernel.symlink_to(mine)
    (elsewhere / "state").mkdir()
    (book.root / ".grade").symlink_to(elsewhere / "state")
    expect_status(book.grade("1", *CPU), "passed")
    expect_status(book.grade("reset", "1", "--yes"), "passed")
    expect(book.kernel.is_symlink() and mine.read_text() == book.stub.read_text(), "reset replaced the link")
    expect_status(book.grade("undo"), "passed")
    expect(book.kernel.is_symlink() and mine.read_text() == REFERENCE, "undo replaced the link")
    folder = book.kernel.parent
    folder.rename(elsewhere / "lesson")
    folder.symlink_to(elsewhere / "lesson")
    expect_status(book.grade("1", *CPU), "passed")


@case("`unavailable`, and says where the link leads")
def link_to_the_solution(book, _):
    """The kernel is a link to the reference, or to a file that is not there"""
    book.kernel.symlink_to(book.root / "solutions" / LESSONS[0] / "kernel.cu")
    expect_status(book.grade("1", *CPU), "unavailable", "solutions/001_matmul_nn/kernel.cu", "Remove the link")
    expect_status(book.grade("reset", "1", "--yes"), "unavailable")
    expect((book.root / "solutions" / LESSONS[0] / "kernel.cu").read_text() == REFERENCE, "the solution changed")
    book.kernel.unlink()
    book.kernel.symlink_to(book.base / "nowhere.cu")
    expect_status(book.grade("1", *CPU), "unavailable", "nowhere.cu", "not there")
    expect(book.kernel.is_symlink(), "the link is gone")


@case("`compile_error`: the kernel is the exercise; a header of the learner's own may be shared")
def includes(book, _):
    """The kernel includes a solution, another lesson's kernel or a grader, by name, by path, by macro"""
    (book.root / "lessons" / LESSONS[1] / "kernel.cu").write_text("// mine\n")
    absolute = book.root / "solutions" / LESSONS[0] / "kernel.cu"
    for line in ('#include "../../solutions/001_matmul_nn/kernel.cu"',
                 f'#include "{absolute}"',
                 '#define WANTED "../../solutions/001_matmul_nn/kernel.cu"\n#include WANTED',
                 '#inclu\\\nde "../../solutions/001_matmul_nn/kernel.cu"',
                 '#include "../002_matmul_nt/kernel.cu"',
                 '#include "../002_matmul_nt/stub.cu"'):
        book.kernel.write_text(line + "\n" + REFERENCE)
        expect_status(book.grade("1", *CPU), "compile_error", "may not include")
    book.kernel.write_text('#include "grader.cpp"\n' + REFERENCE)
    expect_status(book.grade("1", *CPU), "compile_error", "testing/grader.h")
    expect(attempts(book) == 7 and not passed(book), "not recorded as failures")
    body = REFERENCE.replace('#include "moe/kernels.h"', '#include "moe/kernels.h"\n#include "../helpers.cuh"')
    (book.root / "lessons" / "helpers.cuh").write_text("#pragma once\n")
    book.kernel.write_text(body)
    expect_status(book.grade("1", *CPU), "passed")


# ---- The run ----

def run(function, tool, kills):
    start = time.monotonic()
    problem = ""
    status = "ok"
    try:
        with Workbook(tool, build=getattr(function, "build", None)) as book:
            function(book, kills)
    except Skipped as reason:
        status, problem = "skip", str(reason)
    except AssertionError as error:
        status, problem = "FAIL", str(error)
    except Exception:
        status, problem = "FAIL", traceback.format_exc()
    print(f"{status:<4} {function.__name__:<26} {time.monotonic() - start:5.1f} s  {problem or function.outcome}", flush=True)
    return status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grade")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--kills", type=int)
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    chosen = [each for each in CASES if arguments.full or not each.full]
    if arguments.only:
        chosen = [each for each in CASES if any(word in each.__name__ for word in arguments.only)]
    kills = arguments.kills or (500 if arguments.full else 50)  # of each of the two kinds
    tool = os.path.abspath(arguments.grade)
    start = time.monotonic()
    results = [run(each, tool, kills) for each in chosen]
    used = os.times()
    print(f"\n{len(results)} cases in {time.monotonic() - start:.0f} s ({used.children_user + used.children_system:.0f} s of "
          f"processor time), {results.count('FAIL')} failed, {results.count('skip')} skipped")
    return 1 if "FAIL" in results else 0


if __name__ == "__main__":
    sys.exit(main())

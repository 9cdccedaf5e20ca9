#!/usr/bin/env python3
"""Grades programs that mean harm and shows how each ended.

    run_hostile.py GRADE [--full] [--jobs N] [--only NAME ...]

Each must end within its time limit + 2 s (longer where others have the processors), with a status that its file allows, never as a pass, and
leave no process behind. A kernel says what it does and what may come of it in its first lines:

    // Prints a gigabyte.
    // expect: failed, timed_out           a status, or status:kind with a diagnostic of that kind
    // full: takes a whole time limit      runs only with --full
    // timeout: 60                         another limit than the usual ones

Then the tool itself is killed, interrupted and stopped while an endless program runs.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from machine import family, is_alive, processes, stalled_seconds

HERE = pathlib.Path(__file__).resolve().parent
EXIT_CODES = {"passed": 0, "failed": 1, "compile_error": 3, "crashed": 4, "timed_out": 4, "unavailable": 5}
LIMIT = 4.0  # seconds, of what may use them up
PATIENCE = 30.0  # seconds, of what must come to its end sooner: however slow the machine is
GRACE = 2.0
BUILD_LIMIT = 60.0
BACKSTOP = 10  # so many times its limit a program may take where it hardly has a processor
SLEEPER = "98765"  # what the kernels' children sleep for, so that they can be found


def adopters(all_processes):
    """Who would inherit an orphan: process 1, and whatever this test runs below, ctest left out."""
    found = {1}
    pid = os.getppid()
    while pid in all_processes:
        if "ctest" not in all_processes[pid][2]:
            found.add(pid)
        pid = all_processes[pid][0]
    return found


def left_behind():
    everything = processes()
    orphans = adopters(everything)
    result = []
    for pid, (parent, _, program, command) in everything.items():
        ours = "/graders/grader_" in program or program.endswith("/grade-sandbox")
        sleeper = SLEEPER in command and "python" not in program
        if sleeper or (ours and parent in orphans):
            result.append(f"{pid} {command}")
    return result


def wait_until_clean(seconds):
    end = time.monotonic() + seconds
    while left_behind() and time.monotonic() < end:
        time.sleep(0.02)
    return left_behind()


def expectation(kernel):
    text = kernel.read_text()
    allowed = re.search(r"^// expect: (.*)$", text, re.M).group(1).split(", ")
    about = text.splitlines()[0].removeprefix("// ")
    limit = re.search(r"^// timeout: (\d+)$", text, re.M)
    usual = LIMIT if any("timed_out" in each for each in allowed) else PATIENCE
    return about, allowed, re.search(r"^// full:", text, re.M) is not None, float(limit.group(1)) if limit else usual


def grade(tool, kernel):
    about, allowed, _, limit = expectation(kernel)
    command = [tool, "run", "1", "--backend", "cpu", "--file", str(kernel), "--fresh", "--json", "--timeout", str(limit)]
    start, stalled = time.monotonic(), stalled_seconds()
    problems = []
    try:
        done = subprocess.run(command, capture_output=True, timeout=BACKSTOP * (BUILD_LIMIT + limit) + 30)
    except subprocess.TimeoutExpired:
        return {"name": kernel.stem, "about": about, "status": "hung", "seconds": 0, "problems": ["the tool did not end"]}
    wall = time.monotonic() - start
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = {"status": "no report", "diagnostics": [], "cases": [], "seconds": {"build": 0, "run": 0}}
        problems.append(f"stdout is no JSON: {done.stdout[:200]!r} {done.stderr[-300:]!r}")
    status = report["status"]
    kinds = {each["kind"] for each in report["diagnostics"] if each.get("severity") != "note"}
    outcomes = {status} | {f"{status}:{kind}" for kind in kinds}
    if not outcomes & set(allowed):
        problems.append(f"expected {' or '.join(allowed)}")
    if EXIT_CODES.get(status) != done.returncode:
        problems.append(f"exit code {done.returncode}")
    run_time = report["seconds"]["run"]
    # A program's time is its own: what others kept it waiting for a processor comes on top.
    kept = (BACKSTOP - 1) * limit if stalled is None else stalled_seconds() - stalled
    if run_time > limit + GRACE + kept:
        problems.append(f"ran for {run_time:.1f} s")
    # The rest is starting the tool and compiling.
    overhead = wall - run_time - report["seconds"]["build"]
    if overhead > PATIENCE:
        problems.append(f"the tool took {overhead:.1f} s more than build and run")
    if report.get("xp", 0) != 0:
        problems.append("earned XP")
    why = report.get("reason") or ", ".join(sorted(kinds)) or next(
        (case["message"].splitlines()[0] for case in report["cases"] if case["message"]), "")
    return {"name": kernel.stem, "about": about, "status": status, "seconds": run_time, "why": why, "problems": problems}


def end_the_tool(tool, how):
    """Sends the tool a signal while an endless program runs; nothing of it may be left."""
    kernel = HERE / "kernels" / "ignores_signals.cu"
    # Stopped, the tool cannot end anything: the limit of time does.
    limit = LIMIT if how == "SIGSTOP" else 4 * PATIENCE
    command = [tool, "run", "1", "--backend", "cpu", "--file", str(kernel), "--fresh", "--timeout", str(limit)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    problems = []

    end = time.monotonic() + BUILD_LIMIT
    running = {}
    while time.monotonic() < end:
        running = {pid: each for pid, each in family(child.pid).items() if "/graders/grader_" in each[2]}
        if running or child.poll() is not None:
            break
        time.sleep(0.02)
    if not running:
        problems.append("the program did not start")
    everyone = set(family(child.pid)) - {child.pid}
    start = time.monotonic()
    if how == "SIGINT":
        os.killpg(child.pid, signal.SIGINT)  # what Ctrl-C does
    else:
        os.kill(child.pid, getattr(signal, how))
    within = LIMIT + PATIENCE if how == "SIGSTOP" else PATIENCE
    alive = everyone
    while time.monotonic() - start < within:
        alive = {pid for pid in everyone if is_alive(pid)}
        if not alive:
            break
        time.sleep(0.02)
    seconds = time.monotonic() - start
    if alive:
        problems.append(f"still there: {alive}")
    if how == "SIGSTOP":
        os.kill(child.pid, signal.SIGCONT)
    try:
        child.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        problems.append("the tool did not end")
        child.kill()
    return {"name": f"tool gets {how}", "about": "", "status": "gone", "seconds": seconds, "why": "", "problems": problems}


def show(result):
    mark = "ok  " if not result["problems"] else "FAIL"
    why = result.get("why", "")
    print(f"{mark} {result['name']:<28} {result['status']:<13} {result['seconds']:5.1f} s  {why[:90]}", flush=True)
    for problem in result["problems"]:
        print(f"       {problem}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("grade")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*")
    arguments = parser.parse_args()
    tool = os.path.abspath(arguments.grade)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRADE_PROGRESS"] = os.path.join(folder, "progress.json")
        kernels = sorted((HERE / "kernels").glob("*.cu"))
        kernels = [k for k in kernels if arguments.full or not expectation(k)[2]]
        if arguments.only:
            kernels = [k for k in sorted((HERE / "kernels").glob("*.cu")) if k.stem in arguments.only]
        results = []
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for result in pool.map(lambda kernel: grade(tool, kernel), kernels):
                results.append(result)
                show(result)
        if not arguments.only:
            for how in ("SIGKILL", "SIGTERM", "SIGINT", "SIGHUP") + (("SIGSTOP",) if arguments.full else ()):
                results.append(end_the_tool(tool, how))
                show(results[-1])
        rest = wait_until_clean(PATIENCE)
        failures = sum(bool(result["problems"]) for result in results) + bool(rest)
        if os.path.exists(os.environ["GRADE_PROGRESS"]):
            failures += 1
            print("FAIL progress was recorded")
        for line in rest:
            print(f"FAIL left behind: {line}")
        print(f"\n{len(results)} hostile programs in {time.monotonic() - start:.0f} s, {failures} problems, {len(rest)} processes left behind")
        return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

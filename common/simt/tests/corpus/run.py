#!/usr/bin/env python3
"""The fault corpus on the CPU runtime: each program's fault must be reported, its fixed twin must be silent.

    run.py --simt-cc PROGRAM --work FOLDER [--every N] [--filter TEXT] [--jobs N] [--json FILE] [--verbose]

A program begins with lines `// key: value`:
    fault   the kind of the report that must come
    error   (sometimes) CUDA itself refuses the call: the name that the program prints
    cpu     `missed`: the CPU runtime is known not to see this one, and must not begin to unnoticed
    note    what is wrong
The faulty lines end in `// FAULT`; the report must name one of them. With FIXED defined the program is right.

Exit codes: 0 all as stated, 1 something is not, 2 usage.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
REPORT = re.compile(r"^(note: )?([a-z_]+)(?: in \S.*?)?: ")


def header_of(source):
    fields, key = {}, None
    for line in source.read_text(encoding="utf-8").splitlines():
        match = re.match(r"// ([a-z]+): (.*)", line)
        if match:
            key = match[1]
            fields[key] = match[2].strip()
        elif key and line.startswith("// "):
            fields[key] += " " + line[3:].strip()  # a long note goes on
        else:
            break
    return fields


def faulty_lines(source):
    lines = source.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if line.rstrip().endswith("// FAULT")]


def reports_in(text, source):
    """The reports of a run: kind, whether a note, and the lines of the source that they name."""
    reports, kinds = [], {"race", "out_of_bounds", "use_after_free", "uninitialized_read", "barrier_divergence",
                          "misaligned", "host_access", "launch_error", "device_assert", "deadlock", "endless_loop",
                          "arithmetic", "leak", "wrong_stream"}
    for line in text.splitlines():
        match = re.match(re.escape(source.name) + r":(\d+):\d+: warning: .* used uninitialized", line)
        if match:  # of a local variable, by the compiler
            reports.append({"kind": "uninitialized_read", "severity": "note", "lines": [], "message": line})
        match = REPORT.match(line)
        if match and match[2] in kinds:
            reports.append({"kind": match[2], "severity": "note" if match[1] else "error", "lines": [],
                            "message": line[match.end():]})
        if reports:
            found = [int(n) for n in re.findall(re.escape(source.name) + r":(\d+)", line)]
            reports[-1]["lines"] = sorted({*reports[-1]["lines"], *found})
    return reports


def run_twin(simt_cc, source, work, fixed, timeout):
    program = work / (source.stem + ("_fixed" if fixed else ""))
    command = [simt_cc, "--program", "--gate", "off", "-o", str(program), *(["-D", "FIXED"] if fixed else []), source.name]
    done = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER)
    if done.returncode:
        return {"compiled": False, "stderr": done.stdout + done.stderr}
    compiling = done.stderr
    try:
        done = subprocess.run([str(program)], capture_output=True, text=True, errors="replace", timeout=timeout,
                              cwd=work, env={**os.environ, "LC_ALL": "C"})
    except subprocess.TimeoutExpired:
        return {"compiled": True, "exit": "timed out", "stdout": "", "stderr": "", "compiling": compiling}
    finally:
        program.unlink()
    return {"compiled": True, "exit": done.returncode, "stdout": done.stdout, "stderr": done.stderr,
            "compiling": compiling}


def judge(simt_cc, source, work, timeout):
    header, lines = header_of(source), faulty_lines(source)
    entry = {"name": source.stem, "fault": header.get("fault"), "note": header.get("note"), "lines": lines,
             "problems": []}
    problems = entry["problems"]
    if not header.get("fault") or not header.get("note") or not lines:
        problems.append("the file lacks `fault`, `note` or a line marked FAULT")
    faulty, fixed = (run_twin(simt_cc, source, work, twin, timeout) for twin in (False, True))
    for name, run in (("faulty", faulty), ("fixed", fixed)):
        if not run["compiled"]:
            problems.append(f"the {name} program does not compile:\n{run['stderr']}")
            return entry
    found = reports_in(faulty["compiling"] + faulty["stderr"], source)
    entry["reports"] = [{key: r[key] for key in ("kind", "severity", "lines")} for r in found]
    same_kind = [r for r in found if r["kind"] == header["fault"]]
    if "error" in header:
        detected = "error" if header["error"] in faulty["stdout"] else "missed"
    elif any(set(r["lines"]) & set(lines) for r in same_kind):
        right = [r for r in same_kind if set(r["lines"]) & set(lines)]
        detected = "line" if any(r["severity"] == "error" for r in right) else "note"
    else:
        detected = "kind" if same_kind else "other kind" if found else "missed"
    entry["detected"] = detected
    entry["text"] = faulty["stderr"]
    expected = ("missed",) if header.get("cpu") == "missed" else ("line", "note", "error")
    if detected not in expected:
        problems.append(f"the fault must be {'missed' if expected == ('missed',) else 'reported with its line'}, and "
                        f"is: {detected} (exit {faulty['exit']})\n{faulty['compiling']}{faulty['stderr']}")
    if fixed["exit"] != 0 or fixed["stderr"] or fixed["compiling"]:
        problems.append(f"the fixed twin is not silent (exit {fixed['exit']}):\n{fixed['compiling']}{fixed['stderr']}")
    if "error" in header and "cudaSuccess" not in fixed["stdout"]:
        problems.append(f"the fixed twin prints no cudaSuccess: {fixed['stdout']}")
    return entry


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simt-cc", required=True, type=os.path.abspath)  # run from the corpus's folder
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="only each N-th program")
    parser.add_argument("--filter", default="", help="only programs whose name contains this")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--json", type=pathlib.Path, help="write what was reported there")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one program")
    parser.add_argument("--verbose", action="store_true", help="print the reports")
    arguments = parser.parse_args()
    sources = [s for s in sorted(FOLDER.glob("*.cu"))[::arguments.every] if arguments.filter in s.stem]
    if not sources:
        print(f"no program has '{arguments.filter}' in its name", file=sys.stderr)
        sys.exit(2)
    arguments.work.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        entries = list(pool.map(lambda s: judge(arguments.simt_cc, s, arguments.work, arguments.timeout), sources))
    for entry in entries:
        text = entry.pop("text", "")
        if arguments.verbose:
            print(f"---- {entry['name']}: {entry.get('detected')}\n{text}", end="")
        for problem in entry["problems"]:
            print(f"FAILED {entry['name']}: {problem}")
    if arguments.json:
        kept = [{key: value for key, value in entry.items() if key != "problems"} for entry in entries]
        arguments.json.write_text(json.dumps({"version": 1, "programs": kept}, indent=1) + "\n", encoding="utf-8")
    bad = sum(1 for entry in entries if entry["problems"])
    print(f"{len(entries)} programs and their twins, {bad} failed")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The table of cases in docs/security.md, made from the cases themselves.

    security_table.py [--write]

Without --write: says whether the page has the table as it should be (exit code 1: it has not). That each
case ends as the table says is what run_hostile.py and run_unlucky.py test.
"""

import pathlib
import sys

import run_hostile
import run_unlucky

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "security.md"
BEGIN, END = "<!-- cases: made by grader/tests/hostile/security_table.py -->\n", "<!-- end of cases -->\n"


def cell(text):
    return text.rstrip(".").replace("|", "\\|")


def outcome(word):
    status, _, kind = word.partition(":")
    return f"`{status}`" + (f" ({kind.replace('_', ' ')})" if kind else "")


def table():
    lines = ["### The graded program\n", "\n", "| what it does | how that ends |\n", "|---|---|\n"]
    for kernel in sorted((run_hostile.HERE / "kernels").glob("*.cu")):
        about, allowed, *_ = run_hostile.expectation(kernel)
        lines.append(f"| {cell(about)} | {', '.join(outcome(word) for word in allowed)} |\n")
    lines += ["\n", "### Bad luck\n", "\n", "| what happens | how that ends |\n", "|---|---|\n"]
    for case in run_unlucky.CASES:
        lines.append(f"| {cell(case.__doc__.strip().splitlines()[0])} | {cell(case.outcome)} |\n")
    return "".join(lines)


def main():
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    wanted = f"{before}{BEGIN}\n{table()}\n{END}{after}"
    if text == wanted:
        return 0
    if "--write" in sys.argv:
        PAGE.write_text(wanted)
        return 0
    print("docs/security.md has another table: grader/tests/hostile/security_table.py --write")
    return 1


sys.exit(main())

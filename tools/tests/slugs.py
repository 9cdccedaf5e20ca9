#!/usr/bin/env python3
"""Each mistake that a lesson's grader names must be an entry of the lesson's notes: `./grade show` is where it sends."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# One word needs the call round it; words joined by hyphens are slugs wherever they stand.
NAMED = (r'mistake(?:_if)?\(\s*(?:trial,\s*)?"([A-Za-z0-9-]+)"', r'"([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)"')


def unknown(lesson: pathlib.Path) -> list[str]:
    front = json.loads((lesson / "lesson.md").read_text().split("---\n")[1])
    known = {each["slug"] for each in front["mistakes"]}
    grader = (lesson / "grader.cpp").read_text()
    return sorted({slug for pattern in NAMED for slug in re.findall(pattern, grader)} - known)


def main() -> int:
    wrong = [f"{lesson.name}/grader.cpp names the mistake {slug}, of which lesson.md has no entry"
             for lesson in sorted((ROOT / "lessons").glob("[0-9]*")) for slug in unknown(lesson)]
    print("\n".join(wrong) or "every mistake that a grader names is in its lesson's notes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

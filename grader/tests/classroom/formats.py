"""Checks what `grade export` writes against what its readers accept.

Facts behind the checks:
- json: tools/classroom/results.schema.json, whose keywords (those used there) are interpreted here.
- junit: the XML schema of Ant's JUnitReport (JUnit.xsd, Windy Road) and that of Jenkins' xunit plugin (junit-10.xsd); a
  document must satisfy both.
- gradescope: "Autograder Specifications" of Gradescope's documentation.
- csv: RFC 4180.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree


def demand(condition, message):
    if not condition:
        raise AssertionError(message)


# ---- JSON Schema, as far as our schema uses it ----

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}
KNOWN = {
    "$schema", "title", "description", "type", "properties", "required", "additionalProperties", "items", "enum",
    "const", "pattern", "minimum",
}  # fmt: skip


def check_schema(value, schema, where="$"):
    demand(set(schema) <= KNOWN, f"{where}: the checker does not know {set(schema) - KNOWN}")
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        demand(any(TYPES[t](value) for t in types), f"{where}: {value!r} is not {schema['type']}")
    if "const" in schema:
        demand(value == schema["const"], f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema:
        demand(value in schema["enum"], f"{where}: {value!r} is none of {schema['enum']}")
    if "pattern" in schema and isinstance(value, str):
        demand(re.search(schema["pattern"], value), f"{where}: {value!r} does not match {schema['pattern']}")
    if "minimum" in schema:
        demand(value >= schema["minimum"], f"{where}: {value} is less than {schema['minimum']}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        for name in schema.get("required", []):
            demand(name in value, f"{where}: no {name}")
        for name, each in value.items():
            if name in properties:
                check_schema(each, properties[name], f"{where}.{name}")
            else:
                demand(schema.get("additionalProperties", True), f"{where}: {name} is not in the schema")
    if isinstance(value, list) and "items" in schema:
        for i, each in enumerate(value):
            check_schema(each, schema["items"], f"{where}[{i}]")


def check_json(text, schema):
    value = json.loads(text)
    check_schema(value, schema)
    of = sum(each["points"] for each in value["lessons"])
    order = [each["lesson"] for each in value["lessons"]]
    for student in value["students"]:
        name, marks = student["name"], student["marks"]
        demand([mark["lesson"] for mark in marks] == order, f"{name}: marks are not those of the lessons")
        demand(student["points"] == sum(mark["points"] for mark in marks), f"{name}: points")
        demand(student["of"] == of, f"{name}: of")
        for mark in marks:
            demand((mark["status"] == "passed") == (mark["points"] > 0), f"{name}: points without a pass, or none for one")
    return value


# ---- JUnit ----


def attributes(element, required, optional=()):
    have = set(element.keys())
    demand(set(required) <= have, f"<{element.tag}> lacks {set(required) - have}")
    demand(have <= set(required) | set(optional), f"<{element.tag}> has {have - set(required) - set(optional)}")


def check_junit(text):
    demand("\x1b" not in text, "an escape byte in XML")
    root = ElementTree.fromstring(text.encode())
    demand(root.tag == "testsuites", "the root is not <testsuites>")
    attributes(root, [])  # Ant's schema has none
    for number, suite in enumerate(root):
        demand(suite.tag == "testsuite", f"<{suite.tag}> in <testsuites>")
        attributes(
            suite,
            ["id", "package", "name", "timestamp", "hostname", "tests", "failures", "errors", "time"],
            ["skipped"],
        )
        demand(suite.get("id") == str(number), "ids count from 0")
        demand(suite.get("name") and suite.get("hostname"), "an empty name")
        demand(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp")), "the timestamp has a zone or no date")
        demand(re.fullmatch(r"\d+(\.\d*)?", suite.get("time")), "the time is no decimal")
        tags = [child.tag for child in suite]
        cases = [child for child in suite if child.tag == "testcase"]
        demand(
            tags == ["properties"] + ["testcase"] * len(cases) + ["system-out", "system-err"],
            f"the order in <testsuite>: {tags}",
        )
        for each in suite[0]:
            demand(each.tag == "property", f"<{each.tag}> in <properties>")
            attributes(each, ["name", "value"])
        found = {"failure": 0, "error": 0, "skipped": 0}
        for case in cases:
            attributes(case, ["name", "classname", "time"])
            demand(re.fullmatch(r"\d+(\.\d*)?", case.get("time")), "the time is no decimal")
            demand(len(case) <= 1, "a test case has one outcome")
            for outcome in case:
                demand(outcome.tag in found, f"<{outcome.tag}> in <testcase>")
                found[outcome.tag] += 1
                attributes(outcome, ["message"] if outcome.tag == "skipped" else ["type", "message"])
                demand(len(outcome) == 0, "elements in an outcome")
        counts = {
            "tests": len(cases),
            "failures": found["failure"],
            "errors": found["error"],
            "skipped": found["skipped"],
        }
        for name, count in counts.items():
            demand(suite.get(name) == str(count), f"{name} says {suite.get(name)}, and there are {count}")
    return root


# ---- Gradescope ----

FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITY = {"hidden", "after_due_date", "after_published", "visible"}
TOP = {
    "score": (int, float), "execution_time": (int, float), "output": str, "output_format": str,
    "test_output_format": str, "test_name_format": str, "visibility": str, "stdout_visibility": str,
    "extra_data": dict, "tests": list, "leaderboard": list,
}  # fmt: skip
TEST = {
    "score": (int, float), "max_score": (int, float), "status": str, "name": str, "name_format": str, "number": str,
    "output": str, "output_format": str, "tags": list, "visibility": str, "extra_data": dict,
}  # fmt: skip


def check_fields(value, fields, where):
    for name, each in value.items():
        demand(name in fields, f"{where}: Gradescope knows no {name}")
        demand(isinstance(each, fields[name]) and not isinstance(each, bool), f"{where}: {name} is {each!r}")
        if name.endswith("_format"):
            demand(each in FORMATS, f"{where}: {name} is {each}")
        if name.endswith("visibility"):
            demand(each in VISIBILITY, f"{where}: {name} is {each}")


def check_gradescope(text):
    value = json.loads(text)
    check_fields(value, TOP, "results")
    demand("score" in value or "tests" in value, "neither a score nor tests")
    for test in value.get("tests", []):
        check_fields(test, TEST, "a test")
        demand("score" in value or "score" in test, "a test without a score, and none at the top")
        demand(test.get("status", "passed") in ("passed", "failed"), "the status of a test")
        demand(0 <= test["score"] <= test["max_score"], "more points than there are")
    return value


# ---- CSV ----


def check_csv(text):
    demand("\r\n" in text and "\n" not in text.replace("\r\n", ""), "lines end with CR LF")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    demand(len({len(row) for row in rows}) == 1, "rows of different lengths")
    for row in rows[1:]:
        demand(not row[0].startswith(("=", "+", "-", "@")), f"a spreadsheet takes {row[0]} for a formula")
    return rows

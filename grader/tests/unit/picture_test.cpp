#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/error.h"
#include "picture/page.h"
#include "picture/sentences.h"

using grade::Picture;
using grade::Trace;
using nlohmann::json;

namespace {

// Two warps of one block: a load with a stride, a barrier, a store that races with the load.
json trace_json() {
  return json::parse(R"({
    "case": "the <example>", "sizes": "M=2",
    "trace": {
      "version": 1,
      "files": ["", "kernel.cu"],
      "places": [[0, 0], [1, 2], [1, 3]],
      "launches": [{"kernel": "k", "line": 9, "grid": [2, 1, 1], "block": [8, 8, 1], "shown": true,
                    "steps": 3}],
      "arrays": [{"name": "A", "shared": false, "bytes": 4, "length": 8, "extents": [2, 4],
                  "axes": ["m", "k"], "offset": 0},
                 {"name": "tile", "shared": true, "bytes": 4, "length": 64, "extents": [8, 8],
                  "axes": [], "offset": 0}],
      "steps": [
        {"kind": "load", "launch": 0, "block": 1, "place": 1, "warp": 0, "lanes": 7,
         "shared": false, "bytes": 4, "cost": [3, 1], "at": [[0, 7, [0, 4, 8]]]},
        {"kind": "barrier", "launch": 0, "block": 1, "place": 2, "arrived": 64},
        {"kind": "store", "launch": 0, "block": 1, "place": 2, "warp": 1, "lanes": 3,
         "shared": true, "bytes": 4, "cost": [1, 1], "at": [[1, 3, [9, 10]]]}],
      "findings": [{"kind": "race", "error": true, "step": 2, "array": 1, "other": 0,
                    "hits": [[1, 10, 2], [0, 9, 2]]}],
      "left_out": {"steps": 0, "arrays": 0, "launches": 0, "findings": 0}
    }})");
}

Trace read(const json& all) {
  return grade::read_trace(all.dump());
}

std::string refusal(const json& all) {
  try {
    read(all);
  } catch (const grade::Error& error) {
    return error.what();
  }
  return {};
}

Picture picture(const json& all = trace_json()) {
  Picture result;
  result.title = "001 A & B";
  result.kernel = "kernel.cu";
  result.trace = read(all);
  result.sources = {{"kernel.cu", "kernel.cu", {"line one", "  x = a<b>[i];", "</script>"}}};
  return result;
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a trace is read as it was sent") {
  const Trace trace = read(trace_json());
  CHECK(trace.case_name == "the <example>");
  CHECK(trace.sizes == "M=2");
  REQUIRE(trace.steps.size() == 3);
  CHECK(trace.steps[0].parts[0].elements == std::vector<long>{0, 4, 8});
  CHECK(trace.steps[1].is_barrier());
  CHECK(trace.places[trace.steps[2].place].line == 3);
  REQUIRE(trace.findings.size() == 1);
  CHECK(trace.findings[0].other_known);
  CHECK(trace.findings[0].hits[0].element == 10);
}

TEST_CASE("a trace that names what it does not hold is refused") {
  CHECK(has(refusal(json::parse("{}")), "no trace that can be drawn"));
  json all = trace_json();
  all["trace"]["version"] = 2;
  CHECK(has(refusal(all), "version"));
  all = trace_json();
  all["trace"]["steps"][0]["at"][0][0] = 2;
  CHECK(has(refusal(all), "no array 2"));
  all = trace_json();
  all["trace"]["steps"][0]["at"][0][1] = 15;
  CHECK(has(refusal(all), "more lanes than elements"));
  all = trace_json();
  all["trace"]["findings"][0]["other"] = 3;
  CHECK(has(refusal(all), "no step 3"));
  all = trace_json();
  all["trace"]["findings"][0]["hits"] = json::array();
  CHECK(has(refusal(all), "about nothing"));
}

TEST_CASE("elements in words") {
  const Trace trace = read(trace_json());
  CHECK(grade::element_in_words(trace.arrays[0], 6) == "A[m=1, k=2]");
  CHECK(grade::element_in_words(trace.arrays[0], 8) == "A[m=2, k=0]");
  CHECK(grade::element_in_words(trace.arrays[0], -1) == "A[m=-1, k=3]");
  CHECK(grade::element_in_words(trace.arrays[1], 10) == "tile[1][2]");
}

TEST_CASE("steps in words") {
  Trace trace = read(trace_json());
  CHECK(grade::step_in_words(trace, 0) ==
        "Block (1,0,0), warp 0 loads from A: lanes 0 to 2 have A[m=0, k=0] to A[m=2, k=0] in steps "
        "of 4. 3 sectors where 1 would do.");
  CHECK(grade::step_in_words(trace, 1) ==
        "Barrier, block (1,0,0): all 64 threads are there and go on.");
  CHECK(grade::step_in_words(trace, 2) ==
        "Block (1,0,0), warp 1 stores to tile: lanes 0 and 1 have tile[1][1] to tile[1][2]. "
        "1 pass over the banks, no bank conflict.");
  trace.steps[1].missing = 3;
  CHECK(has(grade::step_in_words(trace, 1), "3 had ended before"));
  trace.steps[2].transactions = 2;
  CHECK(has(grade::step_in_words(trace, 2), "2 passes over the banks where 1 would do: a bank"));
  trace.steps[0].parts[0].elements = {5, 5, 5};
  CHECK(has(grade::step_in_words(trace, 0), "lanes 0 to 2 share A[m=1, k=1]"));
  trace.steps[0].parts[0].elements = {5, 2, 7};
  CHECK(has(grade::step_in_words(trace, 0), "lanes 0 and 1 have"));
  CHECK(has(grade::step_in_words(trace, 0), "lane 2 has A[m=1, k=3]"));
}

TEST_CASE("a race in words: both threads, both lines") {
  const Trace trace = read(trace_json());
  CHECK(grade::findings_in_words(trace, 0).empty());
  // Lane 1 of warp 1 is thread 33 of 8 x 8.
  CHECK(
      grade::findings_in_words(trace, 2) ==
      "Race on tile[1][2]: thread (1,4,0) of block (1,0,0) stores it here, thread (2,0,0) of block "
      "(1,0,0) loaded it in step 1 (line 2), and nothing orders the two. And 1 more like it in "
      "this step.");
}

TEST_CASE("the page holds everything, and nothing of it as markup") {
  const std::string page = grade::picture_page(picture());
  CHECK(has(page, "<title>001 A &amp; B: run picture</title>"));
  CHECK(has(page, "the &lt;example&gt;"));
  CHECK(has(page, "x = a&lt;b&gt;[i];"));
  CHECK(has(page, "&lt;/script&gt;"));
  CHECK(has(page, "<strong>Race on tile[1][2]"));
  CHECK(has(page, "aria-live=\"polite\""));
  for (const char* const outside : {"http:", "https:", " src=", " href=", "@import"}) {
    const bool only_namespace =
        std::string(outside) == "http:" && has(page, "http://www.w3.org/2000/svg");
    CHECK_MESSAGE((only_namespace || !has(page, outside)), outside);
  }
}

TEST_CASE("what a program prints into its diagnostics stays text") {
  Picture hostile = picture();
  grade::ReportedDiagnostic diagnostic;
  diagnostic.kind = "race";
  diagnostic.message = "<img onerror=alert(1)>";
  diagnostic.line = 3;
  diagnostic.other_line = 2;
  hostile.diagnostics = {diagnostic};
  hostile.trace.arrays[0].name = "</script><script>";
  const std::string page = grade::picture_page(hostile);
  CHECK_FALSE(has(page, "<img"));
  CHECK_FALSE(has(page, "</script><script>,"));
  CHECK(has(page, "\\u003c/script>\\u003cscript>"));
  CHECK(has(page, "data-step=\"2\""));  // the race's step
}

TEST_CASE("what is left out is said") {
  json all = trace_json();
  all["trace"]["left_out"]["steps"] = 40;
  all["trace"]["launches"].push_back({{"kernel", "other"},
                                      {"line", 1},
                                      {"grid", {1, 1, 1}},
                                      {"block", {1, 1, 1}},
                                      {"shown", false},
                                      {"steps", 0}});
  const std::string page = grade::picture_page(picture(all));
  CHECK(has(page, "ends after 3 steps; the run went on for 40 more"));
  CHECK(has(page, "<code>other</code>: 1 block of 1 thread, (1,1,1), of a lesson that this one"));
}

TEST_CASE("a trace without steps is a page too") {
  json all = trace_json();
  all["trace"]["steps"] = json::array();
  all["trace"]["findings"] = json::array();
  CHECK(has(grade::picture_page(picture(all)), "No thread touched memory"));
  all["trace"]["launches"][0]["shown"] = false;
  CHECK(has(grade::picture_page(picture(all)), "calls those of other lessons"));
  all["trace"]["launches"] = json::array();
  CHECK(has(grade::picture_page(picture(all)), "Nothing was launched"));
}

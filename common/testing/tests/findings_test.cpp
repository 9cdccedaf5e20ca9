#include "findings.h"

#include <doctest/doctest.h>

using testing::Diagnostic;
using testing::Findings;
using testing::Trial;
using testing::UnwrittenReads;

namespace {

Diagnostic found(const char* kind, int line, bool error = true) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.line = line;
  diagnostic.error = error;
  diagnostic.message = "said";
  return diagnostic;
}

Trial::State trial() {
  return {{{"M", 3}, {"N", 5}}, 0, testing::Random(1, "findings")};
}

}  // namespace

TEST_CASE("nothing found, or notes alone, is a pass without a message") {
  Findings findings;
  findings.add(found("uninitialized_read", 4, false));
  findings.excuse_uninitialized();
  const testing::Outcome outcome = findings.outcome(trial());
  CHECK(findings.good());
  CHECK(outcome.passed);
  CHECK(outcome.message == "");
  CHECK(outcome.diagnostics[0].message ==
        "said\nThe outputs do not depend on it, so it is a note.");
}

TEST_CASE("reports of one place and kind are one, and an error if one of them is") {
  Findings findings;
  findings.add({found("race", 4, false), found("race", 4, false), found("race", 5, false)});
  CHECK(findings.good());
  CHECK(findings.noted("race"));
  CHECK_FALSE(findings.has_error("race"));
  findings.add(found("race", 4));
  CHECK_FALSE(findings.good());
  CHECK(findings.has_error("race"));
  const testing::Outcome outcome = findings.outcome(trial());
  REQUIRE(outcome.diagnostics.size() == 2);
  CHECK(outcome.diagnostics[0].count == 3);
}

TEST_CASE("the message: sizes, what is wrong with the values or why they were not looked at") {
  Findings checks;
  checks.add({found("race", 4), found("out_of_bounds", 5), found("race", 6)});
  checks.name_run("\nThis was run 2.");
  CHECK(checks.outcome(trial()).message ==
        "With M=3, N=5: the values are right, but the checks report: race, out_of_bounds.\n"
        "This was run 2.");
  checks.stop("the kernel was stopped");
  checks.stop("and again");
  CHECK(checks.outcome(trial()).message ==
        "With M=3, N=5: the kernel was stopped (race, out_of_bounds).\nThis was run 2.");
  checks.add_wrong_values("C is wrong.");
  checks.add_wrong_values("Also wrong: D.");
  CHECK(checks.outcome(trial()).message ==
        "With M=3, N=5: C is wrong.\nAlso wrong: D.\nThe checks report: race, out_of_bounds.\n"
        "This was run 2.");
}

TEST_CASE("an error of the device is reported where no check said more") {
  Findings alone;
  alone.add(cudaErrorIllegalAddress, "It was stopped");
  CHECK(alone.has_error("out_of_bounds"));
  Findings known;
  known.add(found("race", 4));
  known.add(cudaErrorIllegalAddress, "It was stopped");
  CHECK_FALSE(known.has_error("out_of_bounds"));
}

TEST_CASE("reads of nothing become errors, and tell where they were") {
  Findings findings;
  findings.add(found("uninitialized_read", 4, false));
  CHECK(findings.has_uninitialized_notes());
  CHECK(findings.unwritten_reads() == UnwrittenReads::by_shuffle);
  Diagnostic in_array = found("uninitialized_read", 5, false);
  in_array.array = "A";
  findings.add(in_array);
  CHECK(findings.unwritten_reads() == UnwrittenReads::mixed);
  findings.blame_uninitialized("The outputs are wrong.");
  CHECK_FALSE(findings.has_uninitialized_notes());
  CHECK(findings.outcome(trial()).diagnostics[0].message == "said\nThe outputs are wrong.");
}

TEST_CASE("a known mistake is told by a diagnostic, unless the values told one") {
  Trial::State state = trial();
  state.telling_diagnostics.emplace_back("races", [](const Diagnostic& d) { return d.is("race"); });
  Findings findings;
  findings.add(found("race", 4));
  CHECK(findings.outcome(state).mistake == "races");
  findings.name_mistake("transposed");
  CHECK(findings.outcome(state).mistake == "transposed");
}

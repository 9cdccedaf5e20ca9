// All that a lesson's grader.cpp needs.
//
//   LESSON_CASE("the micro-batch") { ... Trial ... }
//
// registers a test case. The executable's main() is in the library: it opens the kernel object
// named on the command line and runs the cases (grader_NNN_slug --kernel K.so; --help lists the
// options).
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "moe/kernels.h"
#include "oracle/oracle.h"
#include "testing/bounds.h"
#include "testing/counts.h"
#include "testing/micro_batch.h"
#include "testing/oracle.h"
#include "testing/random.h"
#include "testing/shapes.h"
#include "testing/trial.h"

// A test case of a lesson. Names are unique in a grader, and read well after "failed:".
#define LESSON_CASE(name) DOCTEST_TEST_CASE(name)

// The call that `grade bench` counts, on one medium shape, which the name tells: a million loads
// and stores take a tenth of a second. It is no test case, and runs for `grade bench` alone.
//   BENCH_CASE("M = 128, N = 96, K = 64") {
//     grade(128, 96, 64);
//   }
#define BENCH_CASE(shape) DOCTEST_TEST_CASE(shape* doctest::test_suite("bench"))

namespace testing {

// Random numbers of the running case, for choosing shapes.
Random case_random();

// The check that a *validate* lesson's file holds beside its function, `extern "C" bool
// check_<function>(...)` on host arrays:
//   const auto check = learner_check<bool(const float*, int)>("check_softmax_rows");
// Without one the case fails: a check that was deleted is as wrong as one left blank.
void* find_learner_check(const char* name);
template <class Signature>
Signature* learner_check(const char* name) {
  return reinterpret_cast<Signature*>(find_learner_check(name));
}

// Fails the running case with this message, shown to the learner as it is, and names the known
// mistake behind it, if one is.
void fail_case(const std::string& message, const std::string& mistake = {});

// A line shown after a pass.
void note(const std::string& text);

// The same of an unscored goal: what Trial::count() found, and how little will do.
//   note_goal("launches", counts["launches"], 1);
void note_goal(const std::string& what, double count, double goal);

}  // namespace testing

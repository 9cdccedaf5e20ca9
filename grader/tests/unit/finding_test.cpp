// What a report is called, and that it is called so once.
#include "run/finding.h"

#include <doctest/doctest.h>

using namespace grade;

TEST_CASE("a report that tells its kind is not given it a second time") {
  CHECK(kind_at_head("uninitialized_read", "uninitialised: thread (0,0,0) reads a[0]") ==
        "uninitialised");
  CHECK(kind_at_head("barrier_divergence", "barrier: 3 of the 64 threads") == "barrier");
  CHECK(kind_at_head("out_of_bounds", "out of bounds: thread (0,0,0)") == "out of bounds");
  CHECK(kind_at_head("race", "race on a[0]: thread (0,0,0)") == "race");
  CHECK(kind_at_head("use_after_free", "use after free: thread (0,0,0)") == "use after free");
}

TEST_CASE("other reports are given their kind") {
  CHECK(kind_at_head("device_assert", "kernel.cu:9: Assertion") == "");
  CHECK(kind_at_head("barrier_divergence", "grid.sync() in a launch that is not cooperative") ==
        "");
  CHECK(kind_at_head("wrong_stream", "") == "");
  CHECK(finding_in_words("wrong_stream") == "work on another stream");
}

// The shapes of the benchmarks of lessons 029 to 040.
#pragma once

#include "bench/benchmark.h"

namespace bench {

struct ExpertShape {
  int P, E, D, H;
  Array<int> offsets;  // [E+1]
};

// Two experts a token: of few that are chosen alike, then of many that are not.
ExpertShape expert_shape(Benchmark& bench);

}  // namespace bench

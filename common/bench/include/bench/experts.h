// The shapes of the benchmarks of lessons 029 to 040.
#pragma once

#include "bench/benchmark.h"
#include "bench/routing.h"

namespace bench {

struct ExpertShape {
  int P, E, D, H;
  Array<int> offsets;  // [E+1]
};

// Two experts a token: of few with even loads, then of many with skewed ones.
ExpertShape expert_shape(Benchmark& bench);
Loads expert_loads(const Benchmark& bench);

}  // namespace bench

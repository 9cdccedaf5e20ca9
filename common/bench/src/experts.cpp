#include "bench/experts.h"

namespace bench {

ExpertShape expert_shape(Benchmark& bench) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  return {T * K, E, D, H, bench.input(route(bench.random, T, E, K, expert_loads(bench)).offsets)};
}

Loads expert_loads(const Benchmark& bench) {
  return bench.shape_number() == 0 ? Loads::even : Loads::skewed;
}

}  // namespace bench

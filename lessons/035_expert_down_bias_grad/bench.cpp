// Timing of 035 expert_down_bias_grad: dYs once in, a row of sums an expert.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_down_bias_grad) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench::expert_loads(bench));
  const auto offsets = bench.input(routing.offsets);
  const auto dYs = bench.input(count(P, D));
  const auto db2 = bench.accumulated(count(E, D));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, D) + count(E, D)),
                .written = 4.0 * static_cast<double>(count(E, D)),
                .flops = 1.0 * P * D};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(dYs, offsets, db2, P, E, D, stream); });
}

// Timing of 033 expert_down_bias: Ys in and out.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_down_bias) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench::expert_loads(bench));
  const auto offsets = bench.input(routing.offsets);
  const auto b2 = bench.input(count(E, D));
  const auto Ys = bench.accumulated(count(P, D));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, D) + count(E, D)),
                .written = 4.0 * static_cast<double>(count(P, D)),
                .flops = 1.0 * P * D};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(Ys, b2, offsets, P, E, D, stream); });
}

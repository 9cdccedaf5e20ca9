// Timing of 030 expert_up_bias: Z in and out.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_up_bias) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench::expert_loads(bench));
  const auto offsets = bench.input(routing.offsets);
  const auto b1 = bench.input(count(E, H));
  const auto Z = bench.accumulated(count(P, H));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, H) + count(E, H)),
                .written = 4.0 * static_cast<double>(count(P, H)),
                .flops = 1.0 * P * H};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(Z, b1, offsets, P, E, H, stream); });
}

// Timing of 042 mean_probs: one array in, a row of means out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(mean_probs) {
  const int T = bench.size("T", {1'048'576, 4'096}, 37);
  const int E = bench.size("E", {64, 8}, 9);
  const auto probs = bench.input(count(T, E), 0, 1);
  const auto means = bench.output(count(E));
  bench.work = {.read = 4.0 * T * E, .written = 4.0 * E, .flops = 1.0 * T * E};
  bench.time([&](auto function, cudaStream_t stream) { function(probs, means, T, E, stream); });
}

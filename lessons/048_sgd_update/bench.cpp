// Timing of 048 sgd_update: two arrays in, one of them out again.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(sgd_update) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto g = bench.input(count(n));
  const auto w = bench.accumulated(count(n));
  bench.work = {.read = 8.0 * n, .written = 4.0 * n, .flops = 2.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(w, g, n, 0.001f, stream); });
}

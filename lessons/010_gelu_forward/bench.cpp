// Timing of 010 gelu_forward: one array in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(gelu_forward) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto x = bench.input(count(n));
  const auto y = bench.output(count(n));
  bench.work = {.read = 4.0 * n, .written = 4.0 * n, .flops = 10.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(x, y, n, stream); });
}

// Timing of 007 elementwise_multiply: two arrays in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(elementwise_multiply) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto a = bench.input(count(n));
  const auto b = bench.input(count(n));
  const auto out = bench.output(count(n));
  bench.work = {.read = 8.0 * n, .written = 4.0 * n, .flops = 1.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(a, b, out, n, stream); });
}

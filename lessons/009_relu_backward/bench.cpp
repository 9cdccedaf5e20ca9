// Timing of 009 relu_backward: two arrays in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(relu_backward) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto x = bench.input(count(n));
  const auto dy = bench.input(count(n));
  const auto dx = bench.output(count(n));
  bench.work = {.read = 8.0 * n, .written = 4.0 * n, .flops = 1.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(x, dy, dx, n, stream); });
}

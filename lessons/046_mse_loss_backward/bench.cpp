// Timing of 046 mse_loss_backward: two arrays in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(mse_loss_backward) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto y = bench.input(count(n));
  const auto target = bench.input(count(n));
  const auto dy = bench.output(count(n));
  bench.work = {.read = 8.0 * n, .written = 4.0 * n, .flops = 2.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(y, target, dy, n, stream); });
}

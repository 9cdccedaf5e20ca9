// Timing of 045 mse_loss: two arrays in, one number out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(mse_loss) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto y = bench.input(count(n));
  const auto target = bench.input(count(n));
  const auto loss = bench.output(1);
  bench.work = {.read = 8.0 * n, .written = 4, .flops = 3.0 * n};
  bench.time([&](auto function, cudaStream_t stream) { function(y, target, loss, n, stream); });
}

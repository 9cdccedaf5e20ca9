// Timing of 031 expert_activation: one array in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(expert_activation) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto Z = bench.input(count(n));
  const auto A = bench.output(count(n));
  bench.work = {.read = 4.0 * n, .written = 4.0 * n, .flops = 10.0 * n};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(Z, A, n, Activation::gelu, stream); });
}

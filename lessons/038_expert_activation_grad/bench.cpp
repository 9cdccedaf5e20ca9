// Timing of 038 expert_activation_grad: two arrays in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(expert_activation_grad) {
  const int n = bench.size("n", {67'108'864, 65'536}, 1031);
  const auto Z = bench.input(count(n));
  const auto dA = bench.input(count(n));
  const auto dZ = bench.output(count(n));
  bench.work = {.read = 8.0 * n, .written = 4.0 * n, .flops = 20.0 * n};
  bench.time([&](auto function, cudaStream_t stream) {
    function(Z, dA, dZ, n, Activation::gelu, stream);
  });
}

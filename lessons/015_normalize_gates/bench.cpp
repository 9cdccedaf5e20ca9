// Timing of 015 normalize_gates: one small array in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(normalize_gates) {
  const int rows = bench.size("rows", {16'777'216, 4'096}, 37);
  const int k = 2;
  const auto values = bench.input(count(rows, k), 0.1f, 1);
  const auto gates = bench.output(count(rows, k));
  bench.work = {.read = 4.0 * rows * k, .written = 4.0 * rows * k, .flops = 4.0 * rows * k};
  bench.time([&](auto function, cudaStream_t stream) { function(values, gates, rows, k, stream); });
}

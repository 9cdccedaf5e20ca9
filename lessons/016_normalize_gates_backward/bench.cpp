// Timing of 016 normalize_gates_backward: two small arrays in, one out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(normalize_gates_backward) {
  const int rows = bench.size("rows", {16'777'216, 4'096}, 37);
  const int k = 2;
  const auto values = bench.input(count(rows, k), 0.1f, 1);
  const auto dgates = bench.input(count(rows, k), -1, 1);
  const auto dvalues = bench.output(count(rows, k));
  bench.work = {.read = 8.0 * rows * k, .written = 4.0 * rows * k, .flops = 6.0 * rows * k};
  bench.time([&](auto function, cudaStream_t stream) {
    function(values, dgates, dvalues, rows, k, stream);
  });
}

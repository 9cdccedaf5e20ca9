// Timing of 014 topk_rows: the two largest of 64, row by row.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(topk_rows) {
  const int rows = bench.size("rows", {65'536}, 37);
  const int cols = bench.size("cols", {64}, 9);
  const int k = 2;
  const auto scores = bench.input(count(rows, cols));
  const auto values = bench.output(count(rows, k));
  const auto indices = bench.integer_output(count(rows, k));
  bench.work = {.read = 4.0 * rows * cols, .written = 8.0 * rows * k, .flops = 1.0 * rows * cols};
  bench.time([&](auto function, cudaStream_t stream) {
    function(scores, values, indices, rows, cols, k, stream);
  });
}

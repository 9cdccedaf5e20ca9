// Timing of 013 softmax_rows_backward: two arrays in, one out, at narrow and wide rows.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(softmax_rows_backward) {
  const int rows = bench.size("rows", {1'048'576, 65'536, 2'048, 512}, 37);
  const int cols = bench.size("cols", {32, 1'024, 32'768, 128}, 32);
  const auto y = bench.input(count(rows, cols));
  const auto dy = bench.input(count(rows, cols));
  const auto dx = bench.output(count(rows, cols));
  const double elements = 1.0 * rows * cols;
  bench.work = {.read = 8 * elements, .written = 4 * elements, .flops = 5 * elements};
  bench.time([&](auto function, cudaStream_t stream) { function(y, dy, dx, rows, cols, stream); });
}

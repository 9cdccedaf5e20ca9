// Timing of 005 bias_grad: dY once in, a row of sums out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(bias_grad) {
  const int rows = bench.size("rows", {65'536, 512}, 37);
  const int cols = bench.size("cols", {1'024, 128}, 5);
  const auto dY = bench.input(count(rows, cols));
  const auto db = bench.accumulated(count(cols));
  const double elements = 1.0 * rows * cols;
  bench.work = {.read = 4 * (elements + cols), .written = 4.0 * cols, .flops = elements};
  bench.time([&](auto function, cudaStream_t stream) { function(dY, db, rows, cols, stream); });
}

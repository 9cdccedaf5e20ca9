// Timing of 004 bias_add: X once in, Y once out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(bias_add) {
  const int rows = bench.size("rows", {65'536, 512}, 37);
  const int cols = bench.size("cols", {1'024, 128}, 5);
  const auto X = bench.input(count(rows, cols));
  const auto b = bench.input(count(cols));
  const auto Y = bench.output(count(rows, cols));
  const double elements = 1.0 * rows * cols;
  bench.work = {.read = 4 * (elements + cols), .written = 4 * elements, .flops = elements};
  bench.time([&](auto function, cudaStream_t stream) { function(X, b, Y, rows, cols, stream); });
}

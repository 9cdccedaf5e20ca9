// Timing of 043 aux_loss: a handful of numbers: the launch is all.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(aux_loss) {
  const int E = bench.size("E", {64}, 9);
  const auto fractions = bench.input(count(E), 0, 1);
  const auto means = bench.input(count(E), 0, 1);
  const auto loss = bench.output(1);
  bench.work = {.read = 8.0 * E, .written = 4, .flops = 2.0 * E};
  bench.time([&](auto function, cudaStream_t stream) {
    function(fractions, means, loss, E, 0.01f, stream);
  });
}

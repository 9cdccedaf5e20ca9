// Timing of 044 aux_loss_backward: one array out.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(aux_loss_backward) {
  const int T = bench.size("T", {1'048'576, 4'096}, 37);
  const int E = bench.size("E", {64, 8}, 9);
  const auto fractions = bench.input(count(E), 0, 1);
  const auto dprobs = bench.output(count(T, E));
  bench.work = {.read = 4.0 * E, .written = 4.0 * T * E, .flops = 1.0 * T * E};
  bench.time([&](auto function, cudaStream_t stream) {
    function(fractions, dprobs, T, E, 0.01f, stream);
  });
}

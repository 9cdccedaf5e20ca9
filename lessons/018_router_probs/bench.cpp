// Timing of 018 router_probs: one array in, one out, a warp a row.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(router_probs) {
  const int T = bench.size("T", {65'536}, 37);
  const int E = bench.size("E", {64}, 9);
  const auto logits = bench.input(count(T, E));
  const auto probs = bench.output(count(T, E));
  bench.work = {.read = 4.0 * T * E, .written = 4.0 * T * E, .flops = 5.0 * T * E};
  bench.time([&](auto function, cudaStream_t stream) { function(logits, probs, T, E, stream); });
}

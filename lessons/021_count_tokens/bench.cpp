// Timing of 021 count_tokens: one pass over the pairs.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(count_tokens) {
  const int T = bench.size("T", {65'536}, 37);
  const int E = bench.size("E", {64}, 9);
  const int K = 2;
  const int pairs = T * K;
  const auto experts = bench.input(bench::route(bench.random, T, E, K).experts);
  const auto counts = bench.integer_output(count(E));
  bench.work = {.read = 4.0 * pairs, .written = 4.0 * E};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(experts, counts, pairs, E, stream); });
}

// Timing of 041 dispatch_fractions: a handful of numbers: the launch is all.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(dispatch_fractions) {
  const int E = bench.size("E", {64}, 9);
  const int pairs = 8192;
  const auto counts = bench.input(bench::route(bench.random, pairs / 2, E, 2).counts);
  const auto fractions = bench.output(count(E));
  bench.work = {.read = 4.0 * E, .written = 4.0 * E, .flops = 1.0 * E};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(counts, fractions, pairs, E, stream); });
}

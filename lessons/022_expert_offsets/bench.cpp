// Timing of 022 expert_offsets: a scan of one block.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_offsets) {
  const int E = bench.size("E", {1'024}, 9);
  const auto counts = bench.input(bench::route(bench.random, 4096, E, 2).counts);
  const auto offsets = bench.integer_output(count(E + 1));
  bench.work = {.read = 4.0 * E, .written = 4.0 * E};
  bench.time([&](auto function, cudaStream_t stream) { function(counts, offsets, E, stream); });
}

// Timing of 023 assign_slots: the pairs once in, two permutations out.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(assign_slots) {
  const int T = bench.size("T", {65'536}, 37);
  const int E = bench.size("E", {64}, 9);
  const int K = 2;
  const int pairs = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K);
  const auto experts = bench.input(routing.experts);
  const auto offsets = bench.input(routing.offsets);
  const auto slot_of_pair = bench.integer_output(count(pairs));
  const auto pair_of_slot = bench.integer_output(count(pairs));
  bench.work = {.read = 4.0 * (pairs + E), .written = 8.0 * pairs};
  bench.time([&](auto function, cudaStream_t stream) {
    function(experts, offsets, slot_of_pair, pair_of_slot, pairs, E, stream);
  });
}

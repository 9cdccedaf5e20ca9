// Timing of 023 assign_slots: the pairs once in, two permutations out.
// Objects: example_route
// Objects: reference_018_router_probs fast_018_router_probs
// Objects: reference_019_router_topk fast_019_router_topk
// Objects: reference_021_count_tokens fast_021_count_tokens
// Objects: reference_022_expert_offsets fast_022_expert_offsets
// Objects: reference_023_assign_slots fast_023_assign_slots
#include <cmath>
#include <string>
#include <vector>

#include "bench/benchmark.h"
#include "bench/routing.h"
#include "moe/examples.h"

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

// From logits to slots: five lessons one after the other, and what becomes of them in two launches.
BENCHMARK_SEQUENCE(route) {
  const int T = bench.size("T", {65'536}, 37);
  const int E = bench.size("E", {64}, 9);
  const int K = 2;
  const int pairs = T * K;
  // Steps so coarse that no rounding makes two probabilities change places: all choose alike.
  std::vector<float> steps = bench.random.uniform(count(T, E), -4096, 4096);
  for (float& each : steps) each = std::round(each) / 4096;
  const auto logits = bench.input(steps);
  const auto probs = bench.output(count(T, E));
  const auto experts = bench.integer_output(count(pairs));
  const auto gates = bench.output(count(pairs));
  const auto counts = bench.integer_output(count(E));
  const auto offsets = bench.integer_output(count(E + 1));
  const auto slot_of_pair = bench.integer_output(count(pairs));
  const auto pair_of_slot = bench.integer_output(count(pairs));
  bench.work = {
      .read = 4.0 * T * E, .written = 4.0 * (1.0 * T * E + 4.0 * pairs), .flops = 6.0 * T * E};
  const auto time = [&](const std::string& label) {
    const auto softmax = bench.object<decltype(&router_probs)>(label + "_018_router_probs");
    const auto choose = bench.object<decltype(&router_topk)>(label + "_019_router_topk");
    const auto tally = bench.object<decltype(&count_tokens)>(label + "_021_count_tokens");
    const auto scan = bench.object<decltype(&expert_offsets)>(label + "_022_expert_offsets");
    const auto place = bench.object<decltype(&assign_slots)>(label + "_023_assign_slots");
    if (!softmax || !choose || !tally || !scan || !place) return;
    bench.rival(label, [&](cudaStream_t stream) {
      softmax(logits, probs, T, E, stream);
      choose(probs, experts, gates, T, E, K, stream);
      tally(experts, counts, pairs, E, stream);
      scan(counts, offsets, E, stream);
      place(experts, offsets, slot_of_pair, pair_of_slot, pairs, E, stream);
    });
  };
  time("reference");
  time("fast");
  if (const auto fused = bench.object<decltype(&route)>("example_route")) {
    bench.rival("fused", [&](cudaStream_t stream) {
      fused(logits, probs, experts, gates, counts, offsets, slot_of_pair, pair_of_slot, T, E, K,
            stream);
    });
  }
}

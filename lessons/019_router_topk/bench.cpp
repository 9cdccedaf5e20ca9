// Timing of 019 router_topk: the two largest of 64 and their gates.
// Objects: example_grounded_router_clear example_grounded_router
#include "bench/benchmark.h"
#include "moe/examples.h"

using bench::count;

BENCHMARK(router_topk) {
  const int T = bench.size("T", {65'536}, 37);
  const int E = bench.size("E", {64}, 9);
  const int K = 2;
  const auto probs = bench.input(count(T, E), 0, 1);
  const auto experts = bench.integer_output(count(T, K));
  const auto gates = bench.output(count(T, K));
  bench.work = {.read = 4.0 * T * E, .written = 8.0 * T * K, .flops = 1.0 * T * E};
  bench.time([&](auto function, cudaStream_t stream) {
    function(probs, experts, gates, T, E, K, stream);
  });
}

// The worked example of the notes, beside a clear version of it.
BENCHMARK_SEQUENCE(grounded_router) {
  const int T = bench.size("T", {4'096}, 37);
  const int D = bench.size("D", {128}, 13);
  const int E = bench.size("E", {16}, 9);
  const float alpha = 0.5f;
  const auto logits = bench.input(count(T, E));
  const auto X = bench.input(count(T, D));
  const auto G = bench.input(count(E, D));
  const auto out = bench.output(count(T, 4));
  bench.work = {.read = 4.0 * (1.0 * T * (D + E) + 1.0 * E * D),
                .written = 16.0 * T,
                .flops = 2.0 * T * D * E};
  const auto time = [&](const char* label, const char* object) {
    const auto function = bench.object<decltype(&grounded_router)>(object);
    if (function == nullptr) return;
    bench.rival(label,
                [&](cudaStream_t stream) { function(logits, X, G, alpha, out, T, D, E, stream); });
  };
  time("reference", "example_grounded_router_clear");
  time("fast", "example_grounded_router");
}

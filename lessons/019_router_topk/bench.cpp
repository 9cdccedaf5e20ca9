// Timing of 019 router_topk: the two largest of 64 and their gates.
#include "bench/benchmark.h"

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

// Timing of 027 combine_backward_experts: every row in, K of them out.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(combine_backward_experts) {
  const int T = bench.size("T", {32'768}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int K = 2;
  const bench::Routing routing = bench::route(bench.random, T, T < 100 ? 5 : 64, K);
  const auto dOut = bench.input(count(T, D));
  const auto gates = bench.input(count(T, K));
  const auto pair_of_slot = bench.input(routing.pair_of_slot);
  const auto dYs = bench.output(count(T, K, D));
  bench.work = {.read = 4.0 * T * D, .written = 4.0 * T * D * K, .flops = 1.0 * T * D * K};
  bench.time([&](auto function, cudaStream_t stream) {
    function(dOut, gates, pair_of_slot, dYs, T, D, K, stream);
  });
}

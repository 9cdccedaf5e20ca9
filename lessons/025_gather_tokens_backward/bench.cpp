// Timing of 025 gather_tokens_backward: K rows in for each row out.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(gather_tokens_backward) {
  const int T = bench.size("T", {32'768}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int K = 2;
  const bench::Routing routing = bench::route(bench.random, T, T < 100 ? 5 : 64, K);
  const auto dXs = bench.input(count(T, K, D));
  const auto slot_of_pair = bench.input(routing.slot_of_pair);
  const auto dX = bench.output(count(T, D));
  bench.work = {.read = 4.0 * T * D * K, .written = 4.0 * T * D, .flops = 1.0 * T * D * K};
  bench.time([&](auto function, cudaStream_t stream) {
    function(dXs, slot_of_pair, dX, T, D, K, stream);
  });
}

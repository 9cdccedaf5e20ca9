// Timing of 024 gather_tokens: rows copied where they belong: every row of X in, K of them out.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(gather_tokens) {
  const int T = bench.size("T", {32'768}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int K = 2;
  const bench::Routing routing = bench::route(bench.random, T, T < 100 ? 5 : 64, K);
  const auto X = bench.input(count(T, D));
  const auto pair_of_slot = bench.input(routing.pair_of_slot);
  const auto Xs = bench.output(count(T, K, D));
  bench.work = {.read = 4.0 * T * D, .written = 4.0 * T * D * K, .flops = 0};
  bench.time(
      [&](auto function, cudaStream_t stream) { function(X, pair_of_slot, Xs, T, D, K, stream); });
}

// Timing of 020 router_backward: a row kernel and two products.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(router_backward) {
  const int T = bench.size("T", {16'384}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int E = bench.size("E", {64}, 5);
  const int K = 2;
  const bench::Routing routing = bench::route(bench.random, T, E, K);
  const auto X = bench.input(count(T, D));
  const auto Wg = bench.input(count(D, E));
  const auto probs = bench.input(count(T, E), 0.001f, 0.03f);
  const auto experts = bench.input(routing.experts);
  const auto dgates = bench.input(count(T, K));
  const auto dprobs_aux = bench.input(count(T, E));
  const auto dlogits = bench.output(count(T, E));
  const auto dWg = bench.accumulated(count(D, E));
  const auto dX = bench.output(count(T, D));
  bench.work = {.read = 4.0 * static_cast<double>(count(T, D) + 2 * count(D, E) + 2 * count(T, E)),
                .written = 4.0 * static_cast<double>(count(T, D) + count(D, E) + count(T, E)),
                .flops = 4.0 * T * D * E,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(X, Wg, probs, experts, dgates, dprobs_aux, dlogits, dWg, dX, T, D, E, K, stream);
  });
}

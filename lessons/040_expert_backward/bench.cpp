// Timing of 040 expert_backward: the experts backward, four grouped products and what lies between.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_backward) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto Xs = bench.input(count(P, D));
  const auto Z = bench.input(count(P, H));
  const auto A = bench.input(count(P, H));
  const auto dYs = bench.input(count(P, D));
  const auto W1 = bench.input(count(E, D, H));
  const auto W2 = bench.input(count(E, H, D));
  const auto dA = bench.output(count(P, H));
  const auto dZ = bench.output(count(P, H));
  const auto dXs = bench.output(count(P, D));
  const auto dW1 = bench.accumulated(count(E, D, H));
  const auto db1 = bench.accumulated(count(E, H));
  const auto dW2 = bench.accumulated(count(E, H, D));
  const auto db2 = bench.accumulated(count(E, D));
  bench.work = {
      .bytes = 4.0 * static_cast<double>(6 * count(E, D, H) + 3 * count(P, D) + 4 * count(P, H)),
      .flops = 8.0 * P * D * H,
      .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    const MoeParams params{nullptr, W1, nullptr, W2, nullptr};
    const MoeParams grads{nullptr, dW1, db1, dW2, db2};
    function(Xs, Z, A, dYs, params, offsets, dA, dZ, dXs, grads, P, E, D, H, Activation::gelu,
             stream);
  });
}

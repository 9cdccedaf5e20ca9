// Timing of 034 expert_forward: the experts forward, two grouped products and what lies between.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_forward) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto Xs = bench.input(count(P, D));
  const auto W1 = bench.input(count(E, D, H));
  const auto b1 = bench.input(count(E, H));
  const auto W2 = bench.input(count(E, H, D));
  const auto b2 = bench.input(count(E, D));
  const auto Z = bench.output(count(P, H));
  const auto A = bench.output(count(P, H));
  const auto Ys = bench.output(count(P, D));
  bench.work = {
      .bytes = 4.0 * static_cast<double>(2 * count(E, D, H) + 2 * count(P, D) + 2 * count(P, H)),
      .flops = 4.0 * P * D * H,
      .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    const MoeParams params{nullptr, W1, b1, W2, b2};
    function(Xs, params, offsets, Z, A, Ys, P, E, D, H, Activation::gelu, stream);
  });
}

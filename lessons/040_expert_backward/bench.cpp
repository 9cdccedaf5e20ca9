// Timing of 040 expert_backward: the experts backward, four grouped products and what lies between.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_backward) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
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
      .read = 4.0 * static_cast<double>(4 * count(E, D, H) + 2 * count(P, D) + 2 * count(P, H)),
      .written = 4.0 * static_cast<double>(2 * count(E, D, H) + count(P, D) + 2 * count(P, H)),
      .flops = 8.0 * P * D * H,
      .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    const MoeParams params{nullptr, W1, nullptr, W2, nullptr};
    const MoeParams grads{nullptr, dW1, db1, dW2, db2};
    function(Xs, Z, A, dYs, params, offsets, dA, dZ, dXs, grads, P, E, D, H, Activation::gelu,
             stream);
  });
}

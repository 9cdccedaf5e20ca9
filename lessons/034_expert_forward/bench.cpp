// Timing of 034 expert_forward: the experts forward, two grouped products and what lies between.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_forward) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto Xs = bench.input(count(P, D));
  const auto W1 = bench.input(count(E, D, H));
  const auto b1 = bench.input(count(E, H));
  const auto W2 = bench.input(count(E, H, D));
  const auto b2 = bench.input(count(E, D));
  const auto Z = bench.output(count(P, H));
  const auto A = bench.output(count(P, H));
  const auto Ys = bench.output(count(P, D));
  bench.work = {.read = 4.0 * static_cast<double>(2 * count(E, D, H) + count(P, D)),
                .written = 4.0 * static_cast<double>(count(P, D) + 2 * count(P, H)),
                .flops = 4.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    const MoeParams params{nullptr, W1, b1, W2, b2};
    function(Xs, params, offsets, Z, A, Ys, P, E, D, H, Activation::gelu, stream);
  });
}

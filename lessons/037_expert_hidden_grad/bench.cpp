// Timing of 037 expert_hidden_grad: the grouped product with a transposed matrix.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_hidden_grad) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto dYs = bench.input(count(P, D));
  const auto W2 = bench.input(count(E, H, D));
  const auto dA = bench.output(count(P, H));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, D) + count(E, H, D)),
                .written = 4.0 * static_cast<double>(count(P, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(dYs, W2, offsets, dA, P, E, H, D, stream);
  });
}

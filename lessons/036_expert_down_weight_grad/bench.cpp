// Timing of 036 expert_down_weight_grad: the grouped product over rows.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_down_weight_grad) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto A = bench.input(count(P, H));
  const auto dYs = bench.input(count(P, D));
  const auto dW2 = bench.accumulated(count(E, H, D));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, H) + count(P, D) + count(E, H, D)),
                .written = 4.0 * static_cast<double>(count(E, H, D)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(A, dYs, offsets, dW2, P, E, H, D, stream);
  });
}

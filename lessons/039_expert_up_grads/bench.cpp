// Timing of 039 expert_up_grads: the grouped product over rows, and column sums.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_up_grads) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto Xs = bench.input(count(P, D));
  const auto dZ = bench.input(count(P, H));
  const auto dW1 = bench.accumulated(count(E, D, H));
  const auto db1 = bench.accumulated(count(E, H));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, H) + count(P, D) + count(E, D, H)),
                .written = 4.0 * static_cast<double>(count(E, D, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(Xs, dZ, offsets, dW1, db1, P, E, D, H, stream);
  });
}

// Timing of 029 expert_up: the grouped product, at few even experts and at many uneven ones.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_up) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto Xs = bench.input(count(P, D));
  const auto W1 = bench.input(count(E, D, H));
  const auto Z = bench.output(count(P, H));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, D) + count(E, D, H)),
                .written = 4.0 * static_cast<double>(count(P, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(Xs, W1, offsets, Z, P, E, D, H, stream);
  });
}

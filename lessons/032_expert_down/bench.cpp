// Timing of 032 expert_down: the grouped product, at few even experts and at many uneven ones.
#include "bench/benchmark.h"
#include "bench/experts.h"

using bench::count;

BENCHMARK(expert_down) {
  const bench::ExpertShape shape = bench::expert_shape(bench);
  const int P = shape.P, E = shape.E, D = shape.D, H = shape.H;
  const auto& offsets = shape.offsets;
  const auto A = bench.input(count(P, H));
  const auto W2 = bench.input(count(E, H, D));
  const auto Ys = bench.output(count(P, D));
  bench.work = {.read = 4.0 * static_cast<double>(count(P, H) + count(E, H, D)),
                .written = 4.0 * static_cast<double>(count(P, D)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(A, W2, offsets, Ys, P, E, H, D, stream);
  });
}

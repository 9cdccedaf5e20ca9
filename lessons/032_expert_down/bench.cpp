// Timing of 032 expert_down: the grouped product, at few even experts and at many uneven ones.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_down) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto A = bench.input(count(P, H));
  const auto W2 = bench.input(count(E, H, D));
  const auto Ys = bench.output(count(P, D));
  bench.work = {.bytes = 4.0 * static_cast<double>(count(P, H) + count(E, H, D) + count(P, D)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(A, W2, offsets, Ys, P, E, H, D, stream);
  });
}

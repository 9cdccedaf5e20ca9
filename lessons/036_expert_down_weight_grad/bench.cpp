// Timing of 036 expert_down_weight_grad: the grouped product over rows.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_down_weight_grad) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto A = bench.input(count(P, H));
  const auto dYs = bench.input(count(P, D));
  const auto dW2 = bench.accumulated(count(E, H, D));
  bench.work = {.bytes = 4.0 * static_cast<double>(count(P, H) + count(P, D) + 2 * count(E, H, D)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(A, dYs, offsets, dW2, P, E, H, D, stream);
  });
}

// Timing of 037 expert_hidden_grad: the grouped product with a transposed matrix.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_hidden_grad) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto dYs = bench.input(count(P, D));
  const auto W2 = bench.input(count(E, H, D));
  const auto dA = bench.output(count(P, H));
  bench.work = {.bytes = 4.0 * static_cast<double>(count(P, D) + count(E, H, D) + count(P, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(dYs, W2, offsets, dA, P, E, H, D, stream);
  });
}

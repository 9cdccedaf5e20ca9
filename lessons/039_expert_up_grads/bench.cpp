// Timing of 039 expert_up_grads: the grouped product over rows, and column sums.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_up_grads) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto Xs = bench.input(count(P, D));
  const auto dZ = bench.input(count(P, H));
  const auto dW1 = bench.accumulated(count(E, D, H));
  const auto db1 = bench.accumulated(count(E, H));
  bench.work = {.bytes = 4.0 * static_cast<double>(count(P, H) + count(P, D) + 2 * count(E, D, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(Xs, dZ, offsets, dW1, db1, P, E, D, H, stream);
  });
}

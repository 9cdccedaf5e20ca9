// Timing of 029 expert_up: the grouped product, at few even experts and at many uneven ones.
#include "bench/benchmark.h"
#include "bench/routing.h"

using bench::count;

BENCHMARK(expert_up) {
  const int T = bench.size("T", {4'096, 16'384}, 29);
  const int D = bench.size("D", {1'024}, 13);
  const int H = bench.size("H", {4'096, 2'048}, 11);
  const int E = bench.size("E", {8, 64}, 5);
  const int K = 2;
  const int P = T * K;
  const bench::Routing routing = bench::route(bench.random, T, E, K, bench.shape_number() == 1);
  const auto offsets = bench.input(routing.offsets);
  const auto Xs = bench.input(count(P, D));
  const auto W1 = bench.input(count(E, D, H));
  const auto Z = bench.output(count(P, H));
  bench.work = {.bytes = 4.0 * static_cast<double>(count(P, D) + count(E, D, H) + count(P, H)),
                .flops = 2.0 * P * D * H,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) {
    function(Xs, W1, offsets, Z, P, E, D, H, stream);
  });
}

// Timing of 017 router_logits: a tall product with a narrow matrix, beside cuBLAS.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(router_logits) {
  const int T = bench.size("T", {16'384}, 37);
  const int D = bench.size("D", {1'024}, 13);
  const int E = bench.size("E", {64}, 5);
  const auto X = bench.input(count(T, D));
  const auto Wg = bench.input(count(D, E));
  const auto logits = bench.output(count(T, E));
  bench.work = {.read = 4.0 * static_cast<double>(count(T, D) + count(D, E)),
                .written = 4.0 * static_cast<double>(count(T, E)),
                .flops = 2.0 * T * D * E,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) { function(X, Wg, logits, T, D, E, stream); });
  bench.rival_product(bench::Layout::nn, T, E, D, X, Wg, false, logits);
}

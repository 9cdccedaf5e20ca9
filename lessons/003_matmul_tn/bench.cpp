// Timing of 003 matmul_tn: a large square product, beside cuBLAS.
#include "bench/benchmark.h"

using bench::count;

BENCHMARK(matmul_tn) {
  const int M = bench.size("M", {4'096}, 19);
  const int N = bench.size("N", {4'096}, 23);
  const int K = bench.size("K", {4'096}, 13);
  const auto A = bench.input(count(K, M));
  const auto B = bench.input(count(K, N));
  const auto C = bench.accumulated(count(M, N));
  bench.work = {.read = 4.0 * static_cast<double>(count(M, K) + count(K, N) + count(M, N)),
                .written = 4.0 * static_cast<double>(count(M, N)),
                .flops = 2.0 * M * N * K,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) { function(A, B, C, M, N, K, stream); });
  bench.rival_product(bench::Layout::tn, M, N, K, A, B, true, C);
}

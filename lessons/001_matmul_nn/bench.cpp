// Timing of 001 matmul_nn: a large square product, beside cuBLAS, and the rungs that lead to it.
// Objects: reference_001_matmul_nn
// Objects: rung_001_matmul_nn_shared_tiles
// Objects: rung_001_matmul_nn_register_tiles
// Objects: rung_001_matmul_nn_cuda_cores
#include <string>

#include "bench/benchmark.h"

using bench::count;

BENCHMARK(matmul_nn) {
  const int M = bench.size("M", {4'096}, 19);
  const int N = bench.size("N", {4'096}, 23);
  const int K = bench.size("K", {4'096}, 13);
  const auto A = bench.input(count(M, K));
  const auto B = bench.input(count(K, N));
  const auto C = bench.output(count(M, N));
  bench.work = {.read = 4.0 * static_cast<double>(count(M, K) + count(K, N)),
                .written = 4.0 * static_cast<double>(count(M, N)),
                .flops = 2.0 * M * N * K,
                .product = true};
  bench.time([&](auto function, cudaStream_t stream) { function(A, B, C, M, N, K, stream); });
  bench.rival_product(bench::Layout::nn, M, N, K, A, B, false, C);
}

// The same on the CUDA cores alone, whose ceiling is lower: one rung as the fast one.
static void time_rung(bench::Benchmark& bench, const std::string& name) {
  const int M = bench.size("M", {4'096}, 19);
  const int N = bench.size("N", {4'096}, 23);
  const int K = bench.size("K", {4'096}, 13);
  const auto A = bench.input(count(M, K));
  const auto B = bench.input(count(K, N));
  const auto C = bench.output(count(M, N));
  bench.work = {.read = 4.0 * static_cast<double>(count(M, K) + count(K, N)),
                .written = 4.0 * static_cast<double>(count(M, N)),
                .flops = 2.0 * M * N * K};
  const auto time = [&](const char* label, const std::string& object) {
    const auto function = bench.object<decltype(&matmul_nn)>(object);
    if (function == nullptr) return;
    bench.rival(label, [&](cudaStream_t stream) { function(A, B, C, M, N, K, stream); });
  };
  time("reference", "reference_001_matmul_nn");
  time("fast", "rung_001_matmul_nn_" + name);
  bench.rival_product(bench::Layout::nn, M, N, K, A, B, false, C);
}

BENCHMARK_SEQUENCE(matmul_nn_shared_tiles) {
  time_rung(bench, "shared_tiles");
}

BENCHMARK_SEQUENCE(matmul_nn_register_tiles) {
  time_rung(bench, "register_tiles");
}

BENCHMARK_SEQUENCE(matmul_nn_cuda_cores) {
  time_rung(bench, "cuda_cores");
}

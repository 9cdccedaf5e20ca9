// Timing of 001 matmul_nn: a large square product, beside cuBLAS, and the rungs that lead to it.
// Objects: reference_001_matmul_nn
// Objects: rung_001_matmul_nn_shared_tiles
// Objects: rung_001_matmul_nn_register_tiles
// Objects: rung_001_matmul_nn_cuda_cores
#include <string>

#include "bench/benchmark.h"

using bench::count;

namespace {

// The product of both: on the tensor cores, or on the CUDA cores alone, whose ceiling is lower.
class Product {
 public:
  Product(bench::Benchmark& bench, bool tensor_cores) : bench_(bench) {
    bench.work = {.read = 4.0 * static_cast<double>(count(M_, K_) + count(K_, N_)),
                  .written = 4.0 * static_cast<double>(count(M_, N_)),
                  .flops = 2.0 * M_ * N_ * K_,
                  .product = tensor_cores};
  }
  template <class Function>
  void operator()(Function function, cudaStream_t stream) const {
    function(A_, B_, C_, M_, N_, K_, stream);
  }
  void beside_cublas() { bench_.rival_product(bench::Layout::nn, M_, N_, K_, A_, B_, false, C_); }

 private:
  bench::Benchmark& bench_;
  int M_ = bench_.size("M", {4'096}, 19);
  int N_ = bench_.size("N", {4'096}, 23);
  int K_ = bench_.size("K", {4'096}, 13);
  bench::Array<float> A_ = bench_.input(count(M_, K_));
  bench::Array<float> B_ = bench_.input(count(K_, N_));
  bench::Array<float> C_ = bench_.output(count(M_, N_));
};

void time_rung(bench::Benchmark& bench, const std::string& name) {
  Product product(bench, false);
  const auto time = [&](const char* label, const std::string& object) {
    const auto function = bench.object<decltype(&matmul_nn)>(object);
    if (function == nullptr) return;
    bench.rival(label, [&](cudaStream_t stream) { product(function, stream); });
  };
  time("reference", "reference_001_matmul_nn");
  time("fast", "rung_001_matmul_nn_" + name);
  product.beside_cublas();
}

}  // namespace

BENCHMARK(matmul_nn) {
  Product product(bench, true);
  bench.time([&](auto function, cudaStream_t stream) { product(function, stream); });
  product.beside_cublas();
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

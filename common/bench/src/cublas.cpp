#include "bench/cublas.h"

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

namespace bench {
namespace {

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + cublasGetStatusString(status));
}

// For the whole run: it owns a workspace.
cublasHandle_t handle() {
  static const cublasHandle_t created = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "cuBLAS");
    return made;
  }();
  return created;
}

}  // namespace

bool has_cublas() {
  return true;
}

void cublas_product(cudaStream_t stream, Layout layout, int M, int N, int K, const float* A,
                    const float* B, bool accumulate, float* C, Precision precision) {
  const float one = 1;
  const float beta = accumulate ? 1 : 0;
  check(cublasSetStream(handle(), stream), "cuBLAS's stream");
  check(cublasSetMathMode(handle(), precision == Precision::tf32 ? CUBLAS_TF32_TENSOR_OP_MATH
                                                                 : CUBLAS_DEFAULT_MATH),
        "cuBLAS's precision");
  // Row-major C is column-major C^T = B^T A^T.
  const cublasOperation_t of_b = layout == Layout::nt ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t of_a = layout == Layout::tn ? CUBLAS_OP_T : CUBLAS_OP_N;
  check(cublasSgemm(handle(), of_b, of_a, N, M, K, &one, B, layout == Layout::nt ? K : N, A,
                    layout == Layout::tn ? M : K, &beta, C, N),
        "cublasSgemm");
}

}  // namespace bench

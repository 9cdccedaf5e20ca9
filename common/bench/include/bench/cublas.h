// cuBLAS as a rival, where the toolkit brings it (BENCH_CUBLAS); elsewhere there is none.
#pragma once

#include <cuda_runtime.h>

namespace bench {

bool has_cublas();

// Row-major, as the lessons have it.
enum class Layout {
  nn,  // C[M,N] = A[M,K] B[K,N]
  nt,  // C[M,N] = A[M,K] B[N,K]^T
  tn,  // C[M,N] = A[K,M]^T B[K,N]
};

enum class Precision {
  fp32,  // no tensor cores
  tf32,
};

// C is overwritten, or added to. Throws std::runtime_error where cuBLAS reports an error, and
// where there is no cuBLAS.
void cublas_product(cudaStream_t stream, Layout layout, int M, int N, int K, const float* A,
                    const float* B, bool accumulate, float* C,
                    Precision precision = Precision::fp32);

}  // namespace bench

// Takes the runtime's diagnostics away before the grader asks for them.
// expect: compile_error
#include "moe/kernels.h"
#include "simt/inspect.h"

namespace {

__global__ void attack(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
  if (i < M * N) C[i] = sum;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M * N > 0) attack<<<(M * N + 255) / 256, 256, 0, stream>>>(A, B, C, M, N, K);
  simt::take_diagnostics();
}

// Takes the diagnostics away by a declaration of its own, without the header.
// expect: compile_error
#include <vector>

#include "moe/kernels.h"

namespace simt {
struct Diagnostic {
  char content[512];
};
__attribute__((weak)) std::vector<Diagnostic> take_diagnostics();
}  // namespace simt

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
  // Never freed: the elements are not what this file says.
  new std::vector<simt::Diagnostic>(simt::take_diagnostics());
}

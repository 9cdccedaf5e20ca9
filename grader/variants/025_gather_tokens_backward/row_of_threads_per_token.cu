// right: 32 x 8 threads, a row of them a token, walking along the columns; last choice first.
#include "moe/kernels.h"

namespace {

__global__ void gather(const float* dXs, const int* slot_of_pair, float* dX, int T, int D, int K) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= T) return;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    float sum = 0.0f;
    for (int j = K - 1; j >= 0; --j) sum += dXs[slot_of_pair[token * K + j] * D + d];
    dX[token * D + d] = sum;
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;
  gather<<<(T + 7) / 8, dim3(32, 8), 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}

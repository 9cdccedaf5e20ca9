// right: a block a token, its slots fetched once into shared memory, before a barrier.
#include "moe/kernels.h"

namespace {

__global__ void gather(const float* dXs, const int* slot_of_pair, float* dX, int D, int K) {
  __shared__ int slots[16];
  const int token = blockIdx.x;
  if (threadIdx.x < K) slots[threadIdx.x] = slot_of_pair[token * K + threadIdx.x];
  __syncthreads();
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    float sum = dXs[slots[0] * D + d];
    for (int j = 1; j < K; ++j) sum += dXs[slots[j] * D + d];
    dX[token * D + d] = sum;
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T > 0) gather<<<T, 128, 0, stream>>>(dXs, slot_of_pair, dX, D, K);
}

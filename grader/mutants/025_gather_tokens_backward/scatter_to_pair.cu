// mistake: pair-as-token
// why: The row is added at the pair's place, where the token's is due.
// rejected-for: out_of_bounds,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void zero_kernel(float* dX, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dX[i] = 0.0f;
}

__global__ void scatter_kernel(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                               int K) {
  const int pair = blockIdx.x * blockDim.y + threadIdx.y;
  if (pair >= T * K) return;

  const int slot = slot_of_pair[pair];
  const int token = pair;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    atomicAdd(&dX[token * D + d], dXs[slot * D + d]);
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  zero_kernel<<<(T * D + 255) / 256, 256, 0, stream>>>(dX, T * D);
  const dim3 block(32, 8);
  const dim3 grid((T * K + block.y - 1) / block.y);
  scatter_kernel<<<grid, block, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}

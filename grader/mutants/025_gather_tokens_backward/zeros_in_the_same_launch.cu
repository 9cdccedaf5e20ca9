// mistake: zeros-unordered
// why: The first choice clears the sum, but nothing orders that before the others' additions.
// rejected-for: race,value,uninitialized_read
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void scatter_kernel(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                               int K) {
  const int pair = blockIdx.x * blockDim.y + threadIdx.y;
  if (pair >= T * K) return;

  const int slot = slot_of_pair[pair];
  const int token = pair / K;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    if (pair % K == 0) dX[token * D + d] = 0.0f;
    atomicAdd(&dX[token * D + d], dXs[slot * D + d]);
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;

  const dim3 block(32, 8);
  const dim3 grid((T * K + block.y - 1) / block.y);
  scatter_kernel<<<grid, block, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}

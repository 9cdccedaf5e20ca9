// mistake: last-choice
// why: K rows of threads write one token's row: the last writer's row is left.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void scatter_kernel(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                               int K) {
  const int pair = blockIdx.x * blockDim.y + threadIdx.y;
  if (pair >= T * K) return;

  const int slot = slot_of_pair[pair];
  const int token = pair / K;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    dX[token * D + d] = dXs[slot * D + d];
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

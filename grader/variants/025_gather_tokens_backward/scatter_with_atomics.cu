// right: dX cleared on the stream, then every pair's row added to its token by atomics.
#include "moe/kernels.h"

namespace {

__global__ void scatter(const float* dXs, const int* slot_of_pair, float* dX, int pairs, int D,
                        int K) {
  const int pair = blockIdx.x * blockDim.y + threadIdx.y;
  if (pair >= pairs) return;
  const int slot = slot_of_pair[pair];
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    atomicAdd(&dX[pair / K * D + d], dXs[slot * D + d]);
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;
  cudaMemsetAsync(dX, 0, static_cast<size_t>(T) * D * sizeof(float), stream);
  const dim3 block(32, 8);
  scatter<<<(T * K + 7) / 8, block, 0, stream>>>(dXs, slot_of_pair, dX, T * K, D, K);
}

// right: a thread a token adds whole rows, one choice after the other, in memory.
#include "moe/kernels.h"

namespace {

__global__ void gather(const float* dXs, const int* slot_of_pair, float* dX, int T, int D, int K) {
  const int token = blockIdx.x * blockDim.x + threadIdx.x;
  if (token >= T) return;
  float* row = dX + token * D;
  for (int d = 0; d < D; ++d) row[d] = 0.0f;
  for (int j = 0; j < K; ++j) {
    const float* from = dXs + slot_of_pair[token * K + j] * D;
    for (int d = 0; d < D; ++d) row[d] += from[d];
  }
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* slot_of_pair, float* dX, int T, int D,
                            int K, cudaStream_t stream) {
  if (T == 0) return;
  gather<<<(T + 127) / 128, 128, 0, stream>>>(dXs, slot_of_pair, dX, T, D, K);
}

// mistake: left-unwritten
// why: A gate of 0 is skipped, and its row is never written.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;  // of a block, whatever its shape

__global__ void combine_backward_experts_kernel(const float* dOut, const float* gates,
                                                const int* pair_of_slot, float* dYs, int P, int D,
                                                int K) {
  const int s = blockIdx.x * blockDim.y + threadIdx.y;
  if (s >= P) return;

  const int p = pair_of_slot[s];
  const int t = p / K;
  const float gate = gates[p];  // gates lie in the order of pairs
  if (gate == 0.0f) return;
  for (int d = threadIdx.x; d < D; d += blockDim.x) {
    dYs[s * D + d] = gate * dOut[t * D + d];
  }
}

}  // namespace

void combine_backward_experts(const float* dOut, const float* gates, const int* pair_of_slot,
                              float* dYs, int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;

  // The block's shape follows from the width, as in 026.
  int width = 1;
  while (width < D && width < kThreads) width *= 2;
  const dim3 block(width, kThreads / width);
  const int P = T * K;
  const int blocks = (P + block.y - 1) / block.y;
  combine_backward_experts_kernel<<<blocks, block, 0, stream>>>(dOut, gates, pair_of_slot, dYs, P,
                                                                D, K);
}

// right: a block an expert, warp sums by shuffles, multiplied by the reciprocal of T.
#include "moe/kernels.h"

namespace {

__global__ void mean_of_column(const float* probs, float* means, int T, int E, float scale) {
  __shared__ float warp_sums[4];
  const int e = blockIdx.x;
  float sum = 0.0f;
  for (int t = threadIdx.x; t < T; t += blockDim.x) sum += probs[t * E + e];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    means[e] = (warp_sums[0] + warp_sums[1] + warp_sums[2] + warp_sums[3]) * scale;
  }
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  mean_of_column<<<E, 128, 0, stream>>>(probs, means, T, E, T > 0 ? 1.0f / T : 0.0f);
}

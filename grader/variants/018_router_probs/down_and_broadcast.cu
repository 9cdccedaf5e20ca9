// right: shuffles down, then lane 0's result handed to all lanes; a one-dimensional block; the
// logits in registers where they fit.
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr unsigned kAll = 0xffffffffu;
constexpr int kMost = 32;  // experts of a lane: E is at most 1,024

__global__ void softmax_kernel(const float* __restrict__ logits, float* __restrict__ probs, int T,
                               int E) {
  const int t = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (t >= T) return;
  float z[kMost];
  float largest = -INFINITY;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    z[k] = k * 32 + lane < E ? logits[t * E + k * 32 + lane] : -INFINITY;
    largest = fmaxf(largest, z[k]);
  }
  for (int step = 16; step > 0; step >>= 1) {
    largest = fmaxf(largest, __shfl_down_sync(kAll, largest, step));
  }
  largest = __shfl_sync(kAll, largest, 0);
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kMost; ++k) sum += z[k] = __expf(z[k] - largest);
  for (int step = 16; step > 0; step >>= 1) sum += __shfl_down_sync(kAll, sum, step);
  const float scale = 1.0f / __shfl_sync(kAll, sum, 0);
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    if (k * 32 + lane < E) probs[t * E + k * 32 + lane] = z[k] * scale;
  }
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;
  softmax_kernel<<<(T + 3) / 4, 128, 0, stream>>>(logits, probs, T, E);
}

// A warp a token with its row in registers; a bit a column for what is taken.
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr unsigned kAll = 0xffffffff;

__global__ void router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E,
                                   int K) {
  const int token = blockIdx.x * blockDim.y + threadIdx.y;
  if (token >= T) return;
  const int lane = threadIdx.x;
  float p[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const int expert = i * 32 + lane;
    p[i] = expert < E ? probs[token * E + expert] : -1.0f;
  }
  unsigned taken = 0;
  float sum = 0.0f, mine = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    float most = -1.0f;
    int best = INT_MAX;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if (!(taken >> i & 1) && p[i] > most) {
        most = p[i];
        best = i * 32 + lane;
      }
    }
    for (int mask = 1; mask < 32; mask *= 2) {
      const float value = __shfl_xor_sync(kAll, most, mask);
      const int from = __shfl_xor_sync(kAll, best, mask);
      if (value > most || (value == most && from < best)) {
        most = value;
        best = from;
      }
    }
    if (best % 32 == lane) taken |= 1u << (best / 32);
    sum += most;
    if (lane == choice) {
      mine = most;
      experts[token * K + choice] = best;
    }
  }
  if (lane < K) gates[token * K + lane] = mine / sum;
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;
  router_topk_kernel<<<(T + 3) / 4, dim3(32, 4), 0, stream>>>(probs, experts, gates, T, E, K);
}

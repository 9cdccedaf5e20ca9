// 044 aux_loss_backward: dprobs[t,e] = alpha E f_e / T, the same row for every token.
//
// fractions [E] and dprobs [T,E], row-major, are float arrays in device memory. T may be 0; E is at
// least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void aux_loss_backward_kernel(const float* fractions, float* dprobs, int T, int E,
                                         float scale) {
  const long long n = static_cast<long long>(T) * E;
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) dprobs[i] = scale * fractions[i % E];
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;

  const float scale = alpha * static_cast<float>(E) / static_cast<float>(T);
  const int needed = (T * E + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  aux_loss_backward_kernel<<<blocks, kThreads, 0, stream>>>(fractions, dprobs, T, E, scale);
}

// mistake: mask-for-remainder
// why: An even number of experts is taken for a power of two, whose remainder is a mask.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void aux_loss_backward_kernel(const float* fractions, float* dprobs, int n, int E,
                                         float scale) {
  // 042's fold, over the whole grid: a stride that is a multiple of E keeps each thread on its
  // column. The grid has at least E threads, so the stride is not 0.
  const int stride = gridDim.x * blockDim.x / E * E;
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first >= stride) return;

  // One load, one remainder and one product a thread; after that it only writes. 64 bits, as in
  // 006.
  const float gradient = scale * fractions[E % 2 == 0 ? first & (E - 1) : first % E];
  for (long long i = first; i < n; i += stride) dprobs[i] = gradient;
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;

  const int n = T * E;
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  const float scale = alpha * static_cast<float>(E) / static_cast<float>(T);
  aux_loss_backward_kernel<<<blocks, kThreads, 0, stream>>>(fractions, dprobs, n, E, scale);
}

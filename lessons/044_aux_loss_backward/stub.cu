// 044 aux_loss_backward: dprobs[t,e] = alpha E f_e / T, the same row for every token.
//
// fractions [E] and dprobs [T,E], row-major, are float arrays in device memory. T may be 0; E is at
// least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void aux_loss_backward_kernel(const float* fractions, float* dprobs, int n, int E,
                                         float scale) {
  // TODO(1): fill the n elements of dprobs, `scale` times the share of their expert. Let a thread
  // stay on one column, and compute its value once.
  // END TODO(1)
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  // TODO(2): n and scale, then blocks of kThreads, as many as the elements need and at most
  // kMostBlocks. And if there are no tokens?
  aux_loss_backward_kernel<<<1, 1, 0, stream>>>(fractions, dprobs, 0, E, 0.0f);
  // END TODO(2)
}

// mistake: rows-on-y
// why: Tokens lie along the grid's y, which ends at 65,535.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void aux_loss_backward_kernel(const float* fractions, float* dprobs, int E,
                                         float scale) {
  const int expert = blockIdx.x * blockDim.x + threadIdx.x;
  const int token = blockIdx.y;
  if (expert < E) dprobs[token * E + expert] = scale * fractions[expert];
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;
  const dim3 grid((E + 31) / 32, T);
  aux_loss_backward_kernel<<<grid, 32, 0, stream>>>(fractions, dprobs, E, alpha * E / T);
}

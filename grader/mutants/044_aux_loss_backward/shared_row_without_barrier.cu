// mistake: missing-barrier
// why: The row lies in shared memory and is read before all of it is there.
// rejected-for: race
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void aux_loss_backward_kernel(const float* fractions, float* dprobs, int n, int E,
                                         float scale) {
  __shared__ float row[1024];
  for (int e = threadIdx.x; e < E; e += blockDim.x) row[e] = scale * fractions[e];

  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dprobs[i] = row[i % E];
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;
  const int n = T * E;
  aux_loss_backward_kernel<<<(n + 255) / 256, 256, 0, stream>>>(fractions, dprobs, n, E,
                                                                alpha * E / T);
}

// mistake: plain-add
// why: Every lane adds its share to the loss, and nothing orders them.
// rejected-for: race
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void aux_loss_kernel(const float* fractions, const float* means, float* loss, int E,
                                float alpha) {
  float sum = 0.0f;
  for (int e = threadIdx.x; e < E; e += 32) sum += fractions[e] * means[e];
  *loss += alpha * static_cast<float>(E) * sum;
}

}  // namespace

void aux_loss(const float* fractions, const float* means, float* loss, int E, float alpha,
              cudaStream_t stream) {
  cudaMemsetAsync(loss, 0, sizeof(float), stream);
  aux_loss_kernel<<<1, 32, 0, stream>>>(fractions, means, loss, E, alpha);
}

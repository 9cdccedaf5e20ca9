// right: one thread adds up, with both factors inside of the sum.
#include "moe/kernels.h"

namespace {

__global__ void add_up(const float* fractions, const float* means, float* loss, int E,
                       float alpha) {
  float sum = 0.0f;
  for (int e = 0; e < E; ++e) sum = fmaf(alpha * fractions[e], E * means[e], sum);
  *loss = sum;
}

}  // namespace

void aux_loss(const float* fractions, const float* means, float* loss, int E, float alpha,
              cudaStream_t stream) {
  add_up<<<1, 1, 0, stream>>>(fractions, means, loss, E, alpha);
}

// right: a grid-stride kernel for each buffer.
#include "moe/kernels.h"

namespace {

__global__ void zero_kernel(float* array, size_t count) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    array[i] = 0.0f;
}

void zero(float* array, size_t count, cudaStream_t stream) {
  zero_kernel<<<64, 256, 0, stream>>>(array, count);
}

}  // namespace

void zero_grads(const MoeParams& grads, const MoeConfig& config, cudaStream_t stream) {
  // As size_t, so that the products below are computed in it too.
  const size_t D = config.D, H = config.H, E = config.E;
  zero(grads.Wg, D * E, stream);
  zero(grads.W1, E * D * H, stream);
  zero(grads.b1, E * H, stream);
  zero(grads.W2, E * H * D, stream);
  zero(grads.b2, E * D, stream);
}

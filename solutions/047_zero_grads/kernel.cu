// 047 zero_grads: every gradient buffer to 0, on the stream.
//
// grads.Wg [D,E], W1 [E,D,H], b1 [E,H], W2 [E,H,D] and b2 [E,D] are float arrays in device memory.
#include "moe/kernels.h"

namespace {

// All bits 0 is the float 0. The size is in bytes, and may be more than an int holds.
void zero(float* array, size_t count, cudaStream_t stream) {
  cudaMemsetAsync(array, 0, count * sizeof(float), stream);
}

}  // namespace

void zero_grads(const MoeParams& grads, const MoeConfig& config, cudaStream_t stream) {
  const size_t D = config.D, H = config.H, E = config.E;
  zero(grads.Wg, D * E, stream);
  zero(grads.W1, E * D * H, stream);
  zero(grads.b1, E * H, stream);
  zero(grads.W2, E * H * D, stream);
  zero(grads.b2, E * D, stream);
}

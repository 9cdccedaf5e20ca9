// mistake: not-queued
// why: The fills go on the default stream, which does not wait for the given one.
// rejected-for: wrong_stream
// rejected-on: both
#include "moe/kernels.h"

namespace {

// A fill sets bytes, and four bytes of 0 are the float 0. In size_t, since an array of 2^30 floats
// has more bytes than an int can count.
void zero(float* array, size_t count, cudaStream_t) {
  cudaMemsetAsync(array, 0, count * sizeof(float));
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

// 047 zero_grads: every gradient buffer to 0, by fills that are queued on the stream.
//
// grads.Wg [D,E], W1 [E,D,H], b1 [E,H], W2 [E,H,D] and b2 [E,D] are float arrays in device memory.
// D, H and E are at least 1.
#include "moe/kernels.h"

namespace {

// A fill sets bytes, and four bytes of 0 are the float 0. In size_t, since an array of 2^30 floats
// has more bytes than an int can count.
void zero(float* array, size_t count, cudaStream_t stream) {
  // TODO(1): queue one fill on the stream. What does it count in?
  // END TODO(1)
}

}  // namespace

void zero_grads(const MoeParams& grads, const MoeConfig& config, cudaStream_t stream) {
  // As size_t, so that the products below are computed in it too.
  const size_t D = config.D, H = config.H, E = config.E;
  zero(grads.Wg, D * E, stream);
  zero(grads.W1, E * D * H, stream);
  // TODO(2): the other three. Their shapes are at the top of this file.
  // END TODO(2)
}

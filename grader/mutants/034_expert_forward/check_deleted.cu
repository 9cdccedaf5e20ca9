// mistake: check-deleted
// why: The exercise's own check is not in the file.
// rejected-for: value
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

void expert_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                    float* A, float* Ys, int P, int E, int D, int H, Activation act,
                    cudaStream_t stream) {
  // One stream: each call finds what the one before it wrote.
  expert_up(Xs, params.W1, offsets, Z, P, E, D, H, stream);
  expert_up_bias(Z, params.b1, offsets, P, E, H, stream);
  expert_activation(Z, A, P * H, act, stream);
  expert_down(A, params.W2, offsets, Ys, P, E, H, D, stream);
  expert_down_bias(Ys, params.b2, offsets, P, E, D, stream);
}

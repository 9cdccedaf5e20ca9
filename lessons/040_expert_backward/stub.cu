// 040 expert_backward: the experts' gradients, by lessons 035 to 039 in the reverse of the forward.
//
// Xs, dYs, dXs [P,D] and Z, A, dA, dZ [P,H] are row-major float arrays, offsets [E+1] holds ints,
// all in device memory. The gradients of the parameters accumulate; grads.Wg is not touched. P may
// be 0.
#include "moe/kernels.h"

void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream) {
  // Ys = A W2 + b2
  // TODO(1): three gradients of this step, from dYs: of its bias, of its weights, and of its input,
  // which is what the next step takes.
  // END TODO(1)

  // A = act(Z)
  // TODO(2): one call.
  // END TODO(2)

  // Z = Xs W1 + b1
  // TODO(3): two calls: both gradients of the parameters in one, then the gradient of the step's
  // input, which 037 can compute with other arrays and the widths in their new places.
  // END TODO(3)
}

// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA,
                            int D) {
  const int row = blockIdx.x, h = threadIdx.x, H = blockDim.x;
  int e = 0;
  while (offsets[e + 1] <= row) ++e;
  float sum = 0.0f;
  for (int d = 0; d < D; ++d) sum += dYs[row * D + d] * W2[(e * H + h) * D + d];
  dA[row * H + h] = sum;
}

}  // namespace

void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream) {
  // Ys = A W2 + b2
  expert_down_bias_grad(dYs, offsets, grads.b2, P, E, D, stream);
  expert_down_weight_grad(A, dYs, offsets, grads.W2, P, E, H, D, stream);
  if (P > 0) hidden_grad<<<P, H, 0, stream>>>(dYs, params.W2, offsets, dA, D);

  // A = act(Z)
  expert_activation_grad(Z, dA, dZ, P * H, act, stream);

  // Z = Xs W1 + b1
  expert_up_grads(Xs, dZ, offsets, grads.W1, grads.b1, P, E, D, H, stream);
  // The gradient of a product's input again, through W1 [E,D,H]: the widths change places.
  expert_hidden_grad(dZ, params.W1, offsets, dXs, P, E, D, H, stream);
}

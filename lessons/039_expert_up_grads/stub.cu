// 039 expert_up_grads: dW1[e] += Xs_e^T dZ_e and db1[e] += the column sums of dZ_e, in one pass.
//
// Xs [P,D], dZ [P,H], dW1 [E,D,H] and db1 [E,H] are row-major float arrays, offsets [E+1] holds
// ints, all in device memory. An expert without rows keeps its gradients. P may be 0; E, D and H
// are at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void expert_up_grads_kernel(const float* Xs, const float* dZ, const int* offsets,
                                       float* dW1, float* db1, int D, int H) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;  // of the expert's [D,H]
  if (i >= D * H) return;

  // TODO(1): the weight's d and h, and the rows of the block's expert, as in 036. Walk down the
  // rows once: a sum for the weight and a sum for the bias, each number of dZ read once for both.
  // END TODO(1)

  // TODO(2): add to the weight that this thread owns, and to the bias. D threads of the expert have
  // the same bias sum; it must be counted once.
  // END TODO(2)
}

}  // namespace

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 grid((D * H + kThreads - 1) / kThreads, E);
  expert_up_grads_kernel<<<grid, kThreads, 0, stream>>>(Xs, dZ, offsets, dW1, db1, D, H);
}

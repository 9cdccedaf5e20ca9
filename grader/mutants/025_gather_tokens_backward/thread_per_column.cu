// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_backward_kernel(const float* dXs, const int* sl, float* dX, int K) {
  int t = blockIdx.x, d = threadIdx.x, D = blockDim.x;
  float s = 0;
  for (int j = 0; j < K; ++j) s += dXs[sl[t * K + j] * D + d];
  dX[t * D + d] = s;
}

}  // namespace

void gather_tokens_backward(const float* dXs, const int* sl, float* dX, int T, int D, int K,
                            cudaStream_t stream) {
  if (T == 0) return;
  gather_tokens_backward_kernel<<<T, D, 0, stream>>>(dXs, sl, dX, K);
}

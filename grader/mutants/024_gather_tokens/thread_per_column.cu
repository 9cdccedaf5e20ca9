// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void gather_tokens_kernel(const float* X, const int* p, float* Xs, int D, int K) {
  Xs[blockIdx.x * D + threadIdx.x] = X[p[blockIdx.x] / K * D + threadIdx.x];
}

}  // namespace

void gather_tokens(const float* X, const int* pair_of_slot, float* Xs, int T, int D, int K,
                   cudaStream_t stream) {
  if (T == 0) return;
  gather_tokens_kernel<<<T * K, D, 0, stream>>>(X, pair_of_slot, Xs, D, K);
}

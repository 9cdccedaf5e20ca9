// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void combine_backward_experts_kernel(const float* dO, const float* g, const int* ps,
                                                float* dY, int D, int K) {
  int s = blockIdx.x, p = ps[s];
  dY[s * D + threadIdx.x] = g[p] * dO[p / K * D + threadIdx.x];
}

}  // namespace

void combine_backward_experts(const float* dOut, const float* gates, const int* ps, float* dYs,
                              int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  combine_backward_experts_kernel<<<T * K, D, 0, stream>>>(dOut, gates, ps, dYs, D, K);
}

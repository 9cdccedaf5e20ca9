// mistake: step-of-another-block
// why: Blocks of 512 threads take steps of 1,024: half of a wide row is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void combine_backward_experts_kernel(const float* dO, const float* g, const int* ps,
                                                float* dY, int D, int K) {
  int s = blockIdx.x, p = ps[s];
  for (int d = threadIdx.x; d < D; d += 1024) dY[s * D + d] = g[p] * dO[p / K * D + d];
}

}  // namespace

void combine_backward_experts(const float* dOut, const float* gates, const int* ps, float* dYs,
                              int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  const int threads = D < 1024 ? D : 512;
  combine_backward_experts_kernel<<<T * K, threads, 0, stream>>>(dOut, gates, ps, dYs, D, K);
}

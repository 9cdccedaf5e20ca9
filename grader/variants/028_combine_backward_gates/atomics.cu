// right: an atomic addition for each product, onto sums that a launch before has cleared.
#include "moe/kernels.h"

namespace {

__global__ void clear_kernel(float* dgates, int P) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < P) dgates[p] = 0.0f;
}

__global__ void product_kernel(const float* dOut, const float* Ys, const int* slot_of_pair,
                               float* dgates, int n, int D, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int p = i / D;
  const int d = i % D;
  atomicAdd(&dgates[p], dOut[p / K * D + d] * Ys[slot_of_pair[p] * D + d]);
}

}  // namespace

void combine_backward_gates(const float* dOut, const float* Ys, const int* slot_of_pair,
                            float* dgates, int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  const int P = T * K;
  clear_kernel<<<(P + 511) / 512, 512, 0, stream>>>(dgates, P);
  product_kernel<<<(P * D + 127) / 128, 128, 0, stream>>>(dOut, Ys, slot_of_pair, dgates, P * D, D,
                                                          K);
}

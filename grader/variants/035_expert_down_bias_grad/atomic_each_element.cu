// right: a thread an element, which searches its row's expert and adds by an atomic.
#include "moe/kernels.h"

namespace {

__global__ void add_kernel(const float* dYs, const int* offsets, float* db2, int n, int E, int D) {
  const int stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const int row = static_cast<int>(i) / D;
    int low = 0, high = E;  // offsets[low] <= row < offsets[high]
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      if (offsets[middle] <= row) {
        low = middle;
      } else {
        high = middle;
      }
    }
    atomicAdd(&db2[low * D + static_cast<int>(i) % D], dYs[i]);
  }
}

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  if (P == 0) return;
  const int n = P * D;
  const int blocks = n < 64 * 256 ? (n + 255) / 256 : 64;
  add_kernel<<<blocks, 256, 0, stream>>>(dYs, offsets, db2, n, E, D);
}

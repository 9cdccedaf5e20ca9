// mistake: one-search-a-block
// why: Every row gets the bias of expert 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

// The expert that owns `row`, which is one of the P rows: the last one that begins at or before it.
__device__ int expert_of_row(const int* offsets, int E, int row) {
  int low = 0;  // offsets[low] <= row < offsets[high], now and after every step
  int high = E;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (offsets[middle] <= row) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void expert_up_bias_kernel(float* Z, const float* b1, const int* offsets, int P, int E,
                                      int H) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= P) return;

  const int expert = expert_of_row(offsets, E, row);
  for (int h = threadIdx.x; h < H; h += blockDim.x) Z[row * H + h] += b1[h];
}

}  // namespace

void expert_up_bias(float* Z, const float* b1, const int* offsets, int P, int E, int H,
                    cudaStream_t stream) {
  if (P == 0) return;

  // The grid covers the rows, as in 004: which expert has how many makes no difference to it.
  const dim3 block(32, 8);
  const dim3 grid((P + block.y - 1) / block.y);
  expert_up_bias_kernel<<<grid, block, 0, stream>>>(Z, b1, offsets, P, E, H);
}

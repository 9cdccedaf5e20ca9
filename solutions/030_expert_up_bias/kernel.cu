// 030 expert_up_bias: Z[rows of e] += b1[e], in place; each row finds its expert by binary search.
//
// Z [P,H] and b1 [E,H] are row-major float arrays, offsets [E+1] holds ints, all in device memory.
// P may be 0; E and H are at least 1.
#include "moe/kernels.h"

namespace {

// The last expert whose first row is not past `row`. Empty experts share their first row with the
// next one: the last of them is the owner.
__device__ int expert_of_row(const int* offsets, int E, int row) {
  int low = 0;  // offsets[low] <= row < offsets[high], throughout
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
  for (int h = threadIdx.x; h < H; h += blockDim.x) Z[row * H + h] += b1[expert * H + h];
}

}  // namespace

void expert_up_bias(float* Z, const float* b1, const int* offsets, int P, int E, int H,
                    cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(32, 8);
  const dim3 grid((P + block.y - 1) / block.y);
  expert_up_bias_kernel<<<grid, block, 0, stream>>>(Z, b1, offsets, P, E, H);
}

// 035 expert_down_bias_grad: db2[e] += the column sums of expert e's rows of dYs.
//
// dYs [P,D] and db2 [E,D] are row-major float arrays, offsets [E+1] holds ints, all in device
// memory. An expert without rows keeps its db2. P may be 0; E and D are at least 1.
#include "moe/kernels.h"

// TODO(1): this code has 3 faults. Grade it as it is, and begin with what the first report says.
namespace {

constexpr int kColumns = 32;  // of a block: its threads' x
constexpr int kRows = 8;      // walked at the same time: its threads' y

__global__ void expert_down_bias_grad_kernel(const float* dYs, const int* offsets, float* db2,
                                             int D) {
  __shared__ float partial[kRows][kColumns];

  const int expert = blockIdx.y;
  const int end = offsets[expert + 1];
  const int col = blockIdx.x * kColumns + threadIdx.x;

  float sum = 0.0f;
  for (int row = offsets[expert] + threadIdx.y; row <= end; row += kRows) {
    if (col < D) sum += dYs[row * D + col];
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();  // all partial sums are there before they are added up
  }

  if (threadIdx.y == 0 && col < D) {
    float total = 0.0f;
    for (int y = 0; y < kRows; ++y) total += partial[y][threadIdx.x];
    db2[expert * D + col] = total;
  }
}

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kColumns, kRows);
  const dim3 grid((D + kColumns - 1) / kColumns, E);
  expert_down_bias_grad_kernel<<<grid, block, 0, stream>>>(dYs, offsets, db2, D);
}
// END TODO(1)

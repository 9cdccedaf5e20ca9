// mistake: missing-barrier
// why: Shared memory is filled again while the owners still read it.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;
constexpr int kHeight = 8;

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  __shared__ float partial[kHeight][kWidth];
  // One block walks over all columns. The barrier at the end of a step is missing: fast threads
  // overwrite partial sums that the owners still read.
  for (int first = 0; first < cols; first += kWidth) {
    const int col = first + threadIdx.x;
    float sum = 0.0f;
    if (col < cols) {
      for (int row = threadIdx.y; row < rows; row += kHeight) sum += dY[row * cols + col];
    }
    partial[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && col < cols) {
      float total = 0.0f;
      for (int y = 0; y < kHeight; ++y) total += partial[y][threadIdx.x];
      db[col] += total;
    }
  }
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  bias_grad_kernel<<<1, dim3(kWidth, kHeight), 0, stream>>>(dY, db, rows, cols);
}

// right: blocks share the rows of a column; the last of them to be done adds their parts up.
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;
constexpr int kHeight = 8;
constexpr int kParts = 3;

__device__ float parts[kParts * (1 << 20)];
__device__ unsigned done[1 << 16];  // blocks of a group of columns; back at 0 after each call

__global__ void sum_in_parts(const float* dY, float* db, int rows, int cols) {
  __shared__ float sums[kHeight][kWidth];
  __shared__ bool last;
  const int col = blockIdx.x * kWidth + threadIdx.x;
  float sum = 0.0f;
  if (col < cols) {
    for (int r = blockIdx.y * kHeight + threadIdx.y; r < rows; r += kHeight * kParts) {
      sum += dY[r * cols + col];
    }
  }
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();

  if (threadIdx.y == 0 && col < cols) {
    float total = 0.0f;
    for (int y = 0; y < kHeight; ++y) total += sums[y][threadIdx.x];
    parts[blockIdx.y * cols + col] = total;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    last = atomicInc(&done[blockIdx.x], kParts - 1) == kParts - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && threadIdx.y == 0 && col < cols) {
    float total = 0.0f;
    for (int part = 0; part < kParts; ++part) total += parts[part * cols + col];
    db[col] += total;
  }
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 grid((cols + kWidth - 1) / kWidth, kParts);
  sum_in_parts<<<grid, dim3(kWidth, kHeight), 0, stream>>>(dY, db, rows, cols);
}

// mistake: remainder-dropped
// why: Tall columns in two halves; what is left of the first one's parts is left out.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // columns of a block
constexpr int kHeight = 8;  // threads that share a column
constexpr int kTall = 4096;
constexpr int kPart = 1000;

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  __shared__ float partial[kHeight][kWidth];

  const int col = blockIdx.x * kWidth + threadIdx.x;
  const int half = rows / 2;
  const int first_end = rows > kTall ? half / kPart * kPart : half;
  float sum = 0.0f;
  if (col < cols) {
    for (int row = threadIdx.y; row < first_end; row += kHeight) sum += dY[row * cols + col];
    for (int row = half + threadIdx.y; row < rows; row += kHeight) sum += dY[row * cols + col];
  }

  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();

  if (threadIdx.y == 0 && col < cols) {
    float total = 0.0f;
    for (int y = 0; y < kHeight; ++y) total += partial[y][threadIdx.x];
    db[col] += total;
  }
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 block(kWidth, kHeight);
  const dim3 grid((cols + kWidth - 1) / kWidth);
  bias_grad_kernel<<<grid, block, 0, stream>>>(dY, db, rows, cols);
}

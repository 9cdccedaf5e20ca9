// right: blocks share the rows of a column and add their parts to db by atomics, in any order.
#include "moe/kernels.h"

namespace {

constexpr int kChunk = 512;

__global__ void sum_chunks(const float* dY, float* db, int rows, int cols) {
  const int blocks_a_row = (cols + 31) / 32;
  const int col = static_cast<int>(blockIdx.x) % blocks_a_row * 32 + threadIdx.x;
  const int first = static_cast<int>(blockIdx.x) / blocks_a_row * kChunk;
  if (col >= cols) return;
  float sum = 0.0f;
  for (int row = first + threadIdx.y; row < first + kChunk && row < rows; row += blockDim.y) {
    sum += dY[row * cols + col];
  }
  atomicAdd(&db[col], sum);
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  const int blocks = (cols + 31) / 32 * ((rows + kChunk - 1) / kChunk);
  sum_chunks<<<blocks, dim3(32, 4), 0, stream>>>(dY, db, rows, cols);
}

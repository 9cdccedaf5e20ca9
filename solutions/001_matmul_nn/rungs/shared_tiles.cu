// 001 matmul_nn, first rung: a block fetches what its threads share once, as in lesson 032.
//
// Of the 16 threads that need an element of A or B one fetches it, so global memory is read a
// sixteenth as often. A product still takes two loads, from shared memory.
#include "moe/kernels.h"

namespace {

constexpr int kTile = 16;

__global__ void shared_tiles_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kTile][kTile];  // the block's rows of A, 16 steps of them
  __shared__ float b[kTile][kTile];  // the same 16 steps of B, the block's columns

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.x * kTile + y;  // the grid is highest along x
  const int col = blockIdx.y * kTile + x;

  float sum = 0.0f;
  for (int step = 0; step < K; step += kTile) {
    a[y][x] = row < M && step + x < K ? A[row * K + step + x] : 0.0f;
    b[y][x] = step + y < K && col < N ? B[(step + y) * N + col] : 0.0f;
    __syncthreads();  // both tiles are full before anybody reads them
    for (int k = 0; k < kTile; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();  // everybody has read them before they are filled again
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  const dim3 grid((M + kTile - 1) / kTile, (N + kTile - 1) / kTile);
  shared_tiles_kernel<<<grid, dim3(kTile, kTile), 0, stream>>>(A, B, C, M, N, K);
}

// 001 matmul_nn, second rung: a thread has 8 x 8 elements in registers, a block 128 x 128.
//
// At one step of the sum a thread reads 16 floats in shared memory and makes 64 products of them,
// four for a load instead of half a one. Its rows and columns are 16 apart, so that a warp's
// threads read neighbours: no two of them meet in a bank.
#include "moe/kernels.h"

namespace {

constexpr int kEach = 8;     // rows of a thread, and columns
constexpr int kAcross = 16;  // threads each way
constexpr int kThreads = kAcross * kAcross;
constexpr int kTile = kEach * kAcross;
constexpr int kDepth = 8;           // steps that are fetched together
constexpr int kStride = kTile + 4;  // the 8 steps of a row of A go to different banks

__global__ void __launch_bounds__(kThreads)
register_tiles_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float a[kDepth][kStride];  // turned: the rows are side by side
  __shared__ float b[kDepth][kStride];

  const int x = threadIdx.x % kAcross;
  const int y = threadIdx.x / kAcross;
  const int first_row = blockIdx.x * kTile;
  const int first_col = blockIdx.y * kTile;

  float sum[kEach][kEach] = {};
  for (int step = 0; step < K; step += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      const int row = i / kDepth, k = i % kDepth;
      const bool there = first_row + row < M && step + k < K;
      a[k][row] = there ? A[(first_row + row) * K + step + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      const int k = i / kTile, col = i % kTile;
      const bool there = step + k < K && first_col + col < N;
      b[k][col] = there ? B[(step + k) * N + first_col + col] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float left[kEach], right[kEach];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        left[i] = a[k][y + i * kAcross];
        right[i] = b[k][x + i * kAcross];
      }
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
#pragma unroll
        for (int j = 0; j < kEach; ++j) sum[i][j] += left[i] * right[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int row = first_row + y + i * kAcross, col = first_col + x + j * kAcross;
      if (row < M && col < N) C[row * N + col] = sum[i][j];
    }
  }
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  const dim3 grid((M + kTile - 1) / kTile, (N + kTile - 1) / kTile);
  register_tiles_kernel<<<grid, kThreads, 0, stream>>>(A, B, C, M, N, K);
}

// A warp a row, in blocks of 8; lanes past k add 0; the reciprocal is multiplied.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const float value = threadIdx.x < k ? values[row * k + threadIdx.x] : 0.0f;
  float sum = value;
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
  if (threadIdx.x < k) gates[row * k + threadIdx.x] = value * (1.0f / sum);
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_kernel<<<(rows + 7) / 8, dim3(32, 8), 0, stream>>>(values, gates, rows, k);
}

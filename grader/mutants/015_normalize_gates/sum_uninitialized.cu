// mistake: uninitialized-sum
// why: The sum starts from whatever the register held.
// rejected-for: uninitialized_read,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  const float* row_values = values + row * k;
  float* row_gates = gates + row * k;

  float sum;
  for (int j = 0; j < k; ++j) sum += row_values[j];
  for (int j = 0; j < k; ++j) row_gates[j] = row_values[j] / sum;
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;

  const int threads = 256;
  const int blocks = (rows + threads - 1) / threads;
  normalize_gates_kernel<<<blocks, threads, 0, stream>>>(values, gates, rows, k);
}

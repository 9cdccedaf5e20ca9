// mistake: one-row-a-block
// why: The row is the number of the block, and the grid has a block for 256 rows.
// rejected-for: value,race
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x;
  if (row >= rows) return;

  const float* row_values = values + row * k;
  float* row_gates = gates + row * k;

  float sum = 0.0f;
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

// mistake: column-major
// why: The values of a row are neighbours: row * k + j.
// rejected-for: value,out_of_bounds
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  const float* row_values = values + row;
  float* row_gates = gates + row;

  float sum = 0.0f;
  for (int j = 0; j < k; ++j) sum += row_values[j * rows];
  for (int j = 0; j < k; ++j) row_gates[j * rows] = row_values[j * rows] / sum;
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;

  const int threads = 256;
  const int blocks = (rows + threads - 1) / threads;
  normalize_gates_kernel<<<blocks, threads, 0, stream>>>(values, gates, rows, k);
}

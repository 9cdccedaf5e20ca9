// mistake: rows-on-y
// why: The grid reaches 65,535 blocks along y.
// rejected-for: launch_error,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < k; ++j) sum += values[row * k + j];
  if (threadIdx.x < k) gates[row * k + threadIdx.x] = values[row * k + threadIdx.x] / sum;
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_kernel<<<dim3(1, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(values, gates, rows,
                                                                              k);
}

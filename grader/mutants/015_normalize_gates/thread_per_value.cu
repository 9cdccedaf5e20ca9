// mistake: thread-per-value
// why: Every value adds itself to its row in shared memory, and nothing orders the additions.
// rejected-for: race,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  __shared__ float sums[256];
  const int row = threadIdx.x / k;
  const int first = blockIdx.x * (blockDim.x / k);
  const bool mine = row < blockDim.x / k && first + row < rows;
  const int i = first * k + threadIdx.x;
  sums[threadIdx.x] = 0.0f;
  __syncthreads();
  if (mine) sums[row] += values[i];
  __syncthreads();
  if (mine) gates[i] = values[i] / sums[row];
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_kernel<<<(rows + 256 / k - 1) / (256 / k), 256, 0, stream>>>(values, gates, rows,
                                                                               k);
}

// mistake: narrow-shuffle
// why: For k that is no power of two, the steps down take in values of the next row.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int lane = threadIdx.x;
  const int rows_a_warp = 32 / k;
  const int row = blockIdx.x * rows_a_warp + lane / k;
  const bool mine = lane < rows_a_warp * k && row < rows;
  const float value = mine ? values[row * k + lane % k] : 0.0f;
  float sum = value;
  for (int distance = 1; distance < k; distance *= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  sum = __shfl_sync(0xffffffff, sum, lane / k * k);
  if (mine) gates[row * k + lane % k] = value / sum;
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_kernel<<<(rows + 32 / k - 1) / (32 / k), 32, 0, stream>>>(values, gates, rows, k);
}

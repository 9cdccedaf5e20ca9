// A thread a row, its values in registers; pairs as 8 bytes where k and the pointers allow.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const auto aligned = [](const void* p) { return reinterpret_cast<size_t>(p) % 8 == 0; };
  if (k == 2 && aligned(values) && aligned(gates)) {
    const float2 v = reinterpret_cast<const float2*>(values)[row];
    const float sum = v.x + v.y;
    reinterpret_cast<float2*>(gates)[row] = make_float2(v.x / sum, v.y / sum);
    return;
  }
  float v[16];
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    v[j] = j < k ? values[row * k + j] : 0.0f;
    sum += v[j];
  }
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    if (j < k) gates[row * k + j] = v[j] / sum;
  }
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_kernel<<<(rows + 63) / 64, 64, 0, stream>>>(values, gates, rows, k);
}

// A warp a row, in blocks of 8; the dot product with the values, divided once.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= rows) return;
  const float v = lane < k ? values[row * k + lane] : 0.0f;
  const float dg = lane < k ? dgates[row * k + lane] : 0.0f;
  float sum = v;
  float dot = dg * v;
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
    dot += __shfl_xor_sync(0xffffffff, dot, distance);
  }
  const float inverse = 1.0f / sum;
  if (lane < k) dvalues[row * k + lane] = (dg - dot * inverse) * inverse;
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_backward_kernel<<<(rows + 7) / 8, dim3(32, 8), 0, stream>>>(values, dgates,
                                                                              dvalues, rows, k);
}

// A thread a value; each goes over its whole row.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= static_cast<unsigned>(rows) * static_cast<unsigned>(k)) return;
  const unsigned first = i / k * k;
  float sum = 0.0f, dot = 0.0f;
  for (int j = 0; j < k; ++j) {
    sum += values[first + j];
    dot += dgates[first + j] * values[first + j];
  }
  dvalues[i] = (dgates[i] - dot / sum) / sum;
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_backward_kernel<<<static_cast<int>((static_cast<long>(rows) * k + 127) / 128),
                                    128, 0, stream>>>(values, dgates, dvalues, rows, k);
}

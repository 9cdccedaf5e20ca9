// mistake: plus-for-minus
// why: The dot product is subtracted.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kMost = 16;  // the largest k

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  // The row in registers. Past k both arrays hold 0, which adds nothing to a sum.
  const int first = row * k;
  float v[kMost], dg[kMost];
#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    v[j] = j < k ? values[first + j] : 0.0f;
    dg[j] = j < k ? dgates[first + j] : 0.0f;
  }

  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < kMost; ++j) sum += v[j];

  float dot = 0.0f;
#pragma unroll
  for (int j = 0; j < kMost; ++j) dot += dg[j] * (v[j] / sum);

#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    if (j < k) dvalues[first + j] = (dg[j] + dot) / sum;
  }
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;

  // A thread a row, as in 015.
  const int threads = 256;
  const int blocks = (rows + threads - 1) / threads;
  normalize_gates_backward_kernel<<<blocks, threads, 0, stream>>>(values, dgates, dvalues, rows, k);
}

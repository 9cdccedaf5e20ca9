// mistake: shared-without-barrier
// why: One thread sums, the others read the sums without a barrier between.
// rejected-for: race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  __shared__ float sum, dot;
  const int i = blockIdx.x * k + threadIdx.x;
  if (threadIdx.x == 0) {
    sum = 0.0f;
    dot = 0.0f;
    for (int j = 0; j < k; ++j) sum += values[blockIdx.x * k + j];
    for (int j = 0; j < k; ++j) dot += dgates[blockIdx.x * k + j] * values[blockIdx.x * k + j];
    dot /= sum;
  }
  dvalues[i] = (dgates[i] - dot) / sum;
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_backward_kernel<<<rows, k, 0, stream>>>(values, dgates, dvalues, rows, k);
}

// A thread a row without arrays, grid-stride, two quotients and then the difference.
#include "moe/kernels.h"

namespace {

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  for (long row = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x; row < rows;
       row += static_cast<long>(gridDim.x) * blockDim.x) {
    const float* v = values + row * k;
    const float* dg = dgates + row * k;
    float sum = 0.0f, dot = 0.0f;
    for (int j = 0; j < k; ++j) sum += v[j];
    for (int j = k - 1; j >= 0; --j) dot = fmaf(dg[j], v[j], dot);
    dot /= sum;
    for (int j = 0; j < k; ++j) dvalues[row * k + j] = dg[j] / sum - dot / sum;
  }
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;
  normalize_gates_backward_kernel<<<100, 96, 0, stream>>>(values, dgates, dvalues, rows, k);
}

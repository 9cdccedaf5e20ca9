// 016 normalize_gates_backward: dv_i = (dg_i - sum_j dg_j g_j) / s, one thread for every row.
//
// values, dgates and dvalues [rows,k] are row-major float arrays in device memory; g = values / s,
// s the row's sum, are 015's gates. rows may be 0; 1 <= k <= 16.
#include "moe/kernels.h"

namespace {

constexpr int kMost = 16;  // the largest k

__global__ void normalize_gates_backward_kernel(const float* values, const float* dgates,
                                                float* dvalues, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;

  // TODO(1): two arrays of kMost floats. Copy the row's values and dgates into them, and 0 past k,
  // in a loop of kMost steps that the compiler unrolls.
  // END TODO(1)

  // TODO(2): two more such loops: the sum of the values, then the sum of dg times the gate.
  // END TODO(2)

  // TODO(3): the gradient of each of the row's k values.
  // END TODO(3)
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

// 004 bias_add: Y[r,c] = X[r,c] + b[c], a block of 32 x 8 threads for every 8 rows.
//
// X, Y [rows,cols] and b [cols] are row-major float arrays in device memory. Y may be X itself.
// rows may be 0; cols is at least 1.
#include "moe/kernels.h"

namespace {

__global__ void bias_add_kernel(const float* X, const float* b, float* Y, int rows, int cols) {
  // TODO(1): the row of this thread, from the grid's x and the block's y; return if there is none.
  // END TODO(1)

  // TODO(2): walk along the row: start at the thread's own x, step by the block's width.
  // END TODO(2)
}

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;

  // TODO(3): blocks of 32 x 8 threads, and along the grid's x enough of them for all rows.
  bias_add_kernel<<<1, 1, 0, stream>>>(X, b, Y, rows, cols);
  // END TODO(3)
}

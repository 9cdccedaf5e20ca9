// 005 bias_grad: db[c] += sum_r dY[r,c], a block of 32 x 8 threads for every 32 columns.
//
// dY [rows,cols] and db [cols] are row-major float arrays in device memory. rows may be 0, which
// leaves db as it is; cols is at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // columns of a block
constexpr int kHeight = 8;  // threads that share a column

__global__ void bias_grad_kernel(const float* dY, float* db, int rows, int cols) {
  // One array for the whole block: all its threads can read and write it.
  __shared__ float partial[kHeight][kWidth];

  // TODO(1): this thread's column `col`; a block has kWidth of them. Add up the thread's rows of it
  // in a local variable: start at the thread's own y, step by kHeight. A thread whose column does
  // not exist adds up nothing, but does not return.
  // END TODO(1)

  // TODO(2): put the sum in this thread's place of `partial`, then wait for the whole block.
  // END TODO(2)

  // TODO(3): the threads with y = 0 own the columns that exist: each adds up the kHeight partial
  // sums of its column, and adds the total to db.
  // END TODO(3)
}

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  const dim3 block(kWidth, kHeight);
  const dim3 grid((cols + kWidth - 1) / kWidth);
  bias_grad_kernel<<<grid, block, 0, stream>>>(dY, db, rows, cols);
}

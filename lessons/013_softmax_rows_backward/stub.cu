// 013 softmax_rows_backward: dx[r,c] = y[r,c] * (dy[r,c] - sum_j dy[r,j] y[r,j]), a block of 256
// threads for each row.
//
// y, dy and dx [rows,cols] are row-major float arrays in device memory; y is what 012 wrote. rows
// may be 0; cols is at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of the values that the lanes of a warp pass in; it arrives in lane 0. All 32 lanes must
// call this together.
__device__ float warp_sum(float value) {
  // TODO(1): five steps: each lane takes in the value that lies 16, then 8, 4, 2, 1 lanes further.
  // END TODO(1)
  return value;
}

// The sum of the values that the block's threads pass in; every thread gets it. `warp_sums` has a
// place for each warp. All threads of the block must call this together, and once only: nothing
// here waits until `warp_sums` has been read.
__device__ float block_sum(float value, float* warp_sums) {
  float total = 0.0f;
  // TODO(2): the sum of this thread's warp; its lane 0 stores it; one barrier; then every thread
  // adds up what the kWarps warps have stored.
  // END TODO(2)
  return total;
}

__global__ void softmax_rows_backward_kernel(const float* y, const float* dy, float* dx, int cols) {
  __shared__ float warp_sums[kWarps];
  // From here on: this block's row.
  y += blockIdx.x * cols;
  dy += blockIdx.x * cols;
  dx += blockIdx.x * cols;

  // TODO(3): the row's dot product of dy and y: this thread's columns first, then the block's sum.
  // END TODO(3)

  // TODO(4): walk over the columns once more: dx from y, dy and the dot product.
  // END TODO(4)
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<rows, kThreads, 0, stream>>>(y, dy, dx, cols);
}

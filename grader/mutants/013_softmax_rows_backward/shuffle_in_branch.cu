// mistake: shuffle-in-branch
// why: Only threads with a column shuffle, but the mask names all lanes of the warp.
// rejected-for: barrier_divergence
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// The sum of the values that the lanes of a warp pass in; it arrives in lane 0. All 32 lanes must
// call this together.
__device__ float warp_sum(float value) {
  // Each lane takes in what lies 16, then 8, 4, 2, 1 lanes further.
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(kAllLanes, value, step);
  return value;
}

__global__ void softmax_rows_backward_kernel(const float* y, const float* dy, float* dx, int cols) {
  __shared__ float warp_sums[kWarps];
  // From here on: this block's row.
  y += blockIdx.x * cols;
  dy += blockIdx.x * cols;
  dx += blockIdx.x * cols;

  float part = 0.0f;
  for (int c = threadIdx.x; c < cols; c += kThreads) part += dy[c] * y[c];
  float own = 0.0f;
  if (threadIdx.x < cols) own = warp_sum(part);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = own;
  __syncthreads();
  float dot = 0.0f;
  for (int warp = 0; warp < kWarps; ++warp) dot += warp_sums[warp];

  for (int c = threadIdx.x; c < cols; c += kThreads) dx[c] = y[c] * (dy[c] - dot);
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  softmax_rows_backward_kernel<<<rows, kThreads, 0, stream>>>(y, dy, dx, cols);
}

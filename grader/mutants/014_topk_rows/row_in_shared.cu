// mistake: row-in-shared
// why: A row in shared memory: a launch gets no more than 48 KB of it unasked.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int cols,
                                 int k) {
  extern __shared__ float row[];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] = scores[blockIdx.x * cols + c];
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int j = 0; j < k; ++j) {
    int best = -1;
    for (int c = 0; c < cols; ++c) {
      bool taken = false;
      for (int i = 0; i < j; ++i) taken = taken || indices[blockIdx.x * k + i] == c;
      if (!taken && (best < 0 || row[c] > row[best])) best = c;
    }
    indices[blockIdx.x * k + j] = best;
    values[blockIdx.x * k + j] = row[best];
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<rows, 64, cols * sizeof(float), stream>>>(scores, values, indices, cols, k);
}

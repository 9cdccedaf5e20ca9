// A thread a row; the best so far kept sorted by insertion, in a local array.
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  for (long row = blockIdx.x * (long)blockDim.x + threadIdx.x; row < rows;
       row += (long)gridDim.x * blockDim.x) {
    float top[16];
    int where[16];
    int count = 0;
    for (int column = 0; column < cols; ++column) {
      const float score = scores[row * cols + column];
      if (count == k && !(score > top[k - 1])) continue;
      int j = count < k ? count++ : k - 1;
      for (; j > 0 && top[j - 1] < score; --j) {
        top[j] = top[j - 1];
        where[j] = where[j - 1];
      }
      top[j] = score;
      where[j] = column;
    }
    for (int j = 0; j < k; ++j) {
      values[row * k + j] = top[j];
      indices[row * k + j] = where[j];
    }
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<64, 128, 0, stream>>>(scores, values, indices, rows, cols, k);
}

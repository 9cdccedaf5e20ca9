// A block a row; a bit for each column taken, a tree over pairs with barriers.
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  __shared__ float best_value[64];
  __shared__ int best_column[64];
  const int i = threadIdx.x;
  for (long row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int pick = 0; pick < k; ++pick) {
      float value = -INFINITY;
      int best = -1;
      for (long column = i; column < cols; column += blockDim.x) {
        bool taken = false;
        for (int j = 0; j < pick; ++j) taken = taken || indices[row * k + j] == column;
        const float score = scores[row * cols + column];
        if (!taken && (best < 0 || score > value)) {
          value = score;
          best = static_cast<int>(column);
        }
      }
      best_value[i] = value;
      best_column[i] = best;
      __syncthreads();
      for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (i < half && best_column[i + half] >= 0) {
          const float a = best_value[i], b = best_value[i + half];
          const int p = best_column[i], q = best_column[i + half];
          if (p < 0 || b > a || (b == a && q < p)) {
            best_value[i] = b;
            best_column[i] = q;
          }
        }
        __syncthreads();
      }
      if (i == 0) {
        values[row * k + pick] = best_value[0];
        indices[row * k + pick] = best_column[0];
      }
      __syncthreads();
    }
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<rows, 64, 0, stream>>>(scores, values, indices, rows, cols, k);
}

// mistake: taken-becomes-infinity
// why: A score taken and replaced by -inf ties with the -inf of others, and is taken again.
// rejected-for: value
// rejected-on: both
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int pick = 0; pick < k; ++pick) {
    float most = -INFINITY;
    int best = 0;
    for (int column = 0; column < cols; ++column) {
      float score = scores[row * cols + column];
      for (int j = 0; j < pick; ++j) {
        if (indices[row * k + j] == column) score = -INFINITY;
      }
      if (score > most) {
        most = score;
        best = column;
      }
    }
    values[row * k + pick] = most;
    indices[row * k + pick] = best;
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<(rows + 127) / 128, 128, 0, stream>>>(scores, values, indices, rows, cols, k);
}

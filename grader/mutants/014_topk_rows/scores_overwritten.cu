// mistake: scores-overwritten
// why: The scores are an input: nothing may be crossed out in them.
// rejected-for: input_written,value,race
// rejected-on: both
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void topk_rows_kernel(float* scores, float* values, int* indices, int rows, int cols,
                                 int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  for (int pick = 0; pick < k; ++pick) {
    int best = 0;
    for (int column = 1; column < cols; ++column) {
      if (scores[row * cols + column] > scores[row * cols + best]) best = column;
    }
    values[row * k + pick] = scores[row * cols + best];
    indices[row * k + pick] = best;
    scores[row * cols + best] = -INFINITY;
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<(rows + 127) / 128, 128, 0, stream>>>(const_cast<float*>(scores), values,
                                                           indices, rows, cols, k);
}

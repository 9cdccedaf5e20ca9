// mistake: no-syncwarp
// why: A lane reads what another lane of its warp writes, and no __syncwarp lies between.
// rejected-for: race,value
// rejected-on: cpu
#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

constexpr int kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffff;

// A score and the column that it comes from.
struct Candidate {
  float value;
  int column;
};

// The order of this lesson: does a come before b?
__device__ bool before(Candidate a, Candidate b) {
  return a.value > b.value || (a.value == b.value && a.column < b.column);
}

// The first, by before(), of this lane's columns that come strictly after `last`.
__device__ Candidate first_after(Candidate last, const float* row_scores, int cols) {
  Candidate first = {-INFINITY, INT_MAX};  // after every column
  for (int column = threadIdx.x; column < cols; column += kLanes) {
    const Candidate candidate = {row_scores[column], column};
    if (before(last, candidate) && before(candidate, first)) first = candidate;
  }
  return first;
}

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  __shared__ Candidate of_lane[8][kLanes];
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  Candidate* mine = of_lane[threadIdx.y] + threadIdx.x;
  Candidate last = {INFINITY, -1};
  for (int pick = 0; pick < k; ++pick) {
    *mine = first_after(last, scores + row * cols, cols);
    for (int distance = kLanes / 2; distance > 0; distance /= 2) {
      if (threadIdx.x < distance && before(mine[distance], *mine)) *mine = mine[distance];
    }
    last = of_lane[threadIdx.y][0];
    if (threadIdx.x == 0) {
      values[row * k + pick] = last.value;
      indices[row * k + pick] = last.column;
    }
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<(rows + 7) / 8, dim3(kLanes, 8), 0, stream>>>(scores, values, indices, rows,
                                                                   cols, k);
}

// mistake: starts-above
// why: -FLT_MAX as the start comes before a score of -inf.
// rejected-for: value
// rejected-on: both
#include <cfloat>
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
  Candidate first = {-FLT_MAX, INT_MAX};
  for (int column = threadIdx.x; column < cols; column += kLanes) {
    const Candidate candidate = {row_scores[column], column};
    if (before(last, candidate) && before(candidate, first)) first = candidate;
  }
  return first;
}

// The first, by before(), of 32 lanes' candidates: the same in every lane.
__device__ Candidate warp_first(Candidate mine) {
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    const Candidate other = {__shfl_down_sync(kAllLanes, mine.value, distance),
                             __shfl_down_sync(kAllLanes, mine.column, distance)};
    if (before(other, mine)) mine = other;
  }
  mine.value = __shfl_sync(kAllLanes, mine.value, 0);
  mine.column = __shfl_sync(kAllLanes, mine.column, 0);
  return mine;
}

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // all 32 lanes of the warp

  Candidate last = {INFINITY, -1};  // before every column
  for (int pick = 0; pick < k; ++pick) {
    last = warp_first(first_after(last, scores + row * cols, cols));
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

  // As in 004: a block has 8 rows of 32 threads, here 8 warps with a row each.
  const dim3 block(kLanes, 8);
  const dim3 grid((rows + block.y - 1) / block.y);
  topk_rows_kernel<<<grid, block, 0, stream>>>(scores, values, indices, rows, cols, k);
}

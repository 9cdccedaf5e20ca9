// 014 topk_rows: the k largest of each row, descending; of equal ones the lower column first.
//
// scores [rows,cols], values and indices [rows,k] are row-major arrays in device memory. rows may
// be 0; 1 <= k <= cols and k <= 16. A score may be -inf, none is NaN. A warp per row picks k times.
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
  // TODO(1): walk over this lane's columns, 32 apart. Of those that come strictly after `last`,
  // keep the one that comes before all others.
  // END TODO(1)
  return first;
}

// The first, by before(), of 32 lanes' candidates: the same in every lane.
__device__ Candidate warp_first(Candidate mine) {
  // TODO(2): the five steps of 013: fetch both members of the candidate that lies 16, then 8, 4,
  // 2, 1 lanes higher, and keep whichever comes before. Then give every lane what lane 0 has.
  // END TODO(2)
  return mine;
}

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // all 32 lanes of the warp

  Candidate last = {INFINITY, -1};  // before every column
  for (int pick = 0; pick < k; ++pick) {
    last = warp_first(first_after(last, scores + row * cols, cols));
    // TODO(3): one lane writes the pick, value and column, to its place in the output.
    // END TODO(3)
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

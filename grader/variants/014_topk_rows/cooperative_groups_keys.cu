// A tile of 32 a row, cooperative groups, value and column packed into one 64-bit key.
#include <cooperative_groups.h>

#include <climits>
#include <cmath>

#include "moe/kernels.h"

namespace {

namespace cg = cooperative_groups;

__device__ unsigned long long key_of(float score, int column) {
  unsigned bits = __float_as_uint(score + 0.0f);  // -0 becomes +0
  bits = bits >> 31 ? ~bits : bits | 0x80000000u;
  return (static_cast<unsigned long long>(bits) << 32) | static_cast<unsigned>(~column);
}

__global__ void topk_rows_kernel(const float* scores, float* values, int* indices, int rows,
                                 int cols, int k) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const long row = blockIdx.x * 4l + tile.meta_group_rank();
  if (row >= rows) return;
  unsigned long long last = ~0ull;
  for (int pick = 0; pick < k; ++pick) {
    unsigned long long best = 0;
    for (int column = tile.thread_rank(); column < cols; column += 32) {
      const unsigned long long key = key_of(scores[row * cols + column], column);
      if (key < last && key > best) best = key;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      const unsigned long long other = tile.shfl_xor(best, distance);
      if (other > best) best = other;
    }
    last = best;
    if (tile.thread_rank() == 0) {
      const int column = static_cast<int>(~static_cast<unsigned>(best));
      indices[row * k + pick] = column;
      values[row * k + pick] = scores[row * cols + column];
    }
  }
}

}  // namespace

void topk_rows(const float* scores, float* values, int* indices, int rows, int cols, int k,
               cudaStream_t stream) {
  if (rows == 0) return;
  topk_rows_kernel<<<(rows + 3) / 4, 128, 0, stream>>>(scores, values, indices, rows, cols, k);
}

// 032 expert_down: Ys[rows of e] = A[rows of e] W2[e] for every expert e, by tiles in shared
// memory.
//
// A [P,H], W2 [E,H,D] and Ys [P,D] are row-major float arrays, offsets [E+1] holds ints, all in
// device memory. Expert e owns rows offsets[e] .. offsets[e+1]-1, possibly none. P may be 0; E, H
// and D are at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kTile = 16;
constexpr int kMostRowTiles = 64;  // of an expert: its blocks walk on if it has more rows

__global__ void expert_down_kernel(const float* A, const float* W2, const int* offsets, float* Ys,
                                   int H, int D) {
  __shared__ float a[kTile][kTile];  // the block's rows of A, 16 columns of them
  __shared__ float w[kTile][kTile];  // the same 16 rows of W2, the block's columns

  const int expert = blockIdx.y;
  const int end = offsets[expert + 1];
  const float* const W = W2 + expert * H * D;  // [H,D], this expert's own
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * kTile + x;

  // `first` and `step` are the same for all threads of the block, so all go round equally often.
  for (int first = offsets[expert] + blockIdx.z * kTile; first < end; first += gridDim.z * kTile) {
    const int row = first + y;
    float sum = 0.0f;
    for (int step = 0; step < H; step += kTile) {
      // TODO(1): this thread's place in both tiles: a[y][x] is a number of A in row `row`,
      // w[y][x] one of W in column `col`. 0 where there is none: past the expert's rows, past H,
      // past D.
      // END TODO(1)

      // TODO(2): add the 16 products of this step to `sum`: row y of a, column x of w. What must
      // all threads have done before, and what before the tiles are filled again?
      // END TODO(2)
    }
    // TODO(3): write the element, if there is one.
    // END TODO(3)
  }
}

}  // namespace

void expert_down(const float* A, const float* W2, const int* offsets, float* Ys, int P, int E,
                 int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kTile, kTile);
  // TODO(4): the grid: tiles of columns along x, experts along y, tiles of rows along z: enough
  // for an expert that owns all P rows, yet no more than kMostRowTiles.
  expert_down_kernel<<<1, block, 0, stream>>>(A, W2, offsets, Ys, H, D);
  // END TODO(4)
}

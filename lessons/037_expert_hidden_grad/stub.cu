// 037 expert_hidden_grad: dA_e = dYs_e W2[e]^T for every expert e, W2 read along its rows.
//
// dYs [P,D], W2 [E,H,D] and dA [P,H] are row-major float arrays, offsets [E+1] holds ints, all in
// device memory. Expert e owns rows offsets[e] .. offsets[e+1]-1, possibly none. P may be 0; E, H
// and D are at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kWidth = 32;  // hidden units of a block, and a step along D
constexpr int kRows = 8;
constexpr int kMostRowTiles = 64;

__global__ void expert_hidden_grad_kernel(const float* dYs, const float* W2, const int* offsets,
                                          float* dA, int H, int D) {
  // TODO(1): two tiles in shared memory: kRows rows of dYs and kWidth rows of W2, each kWidth
  // columns of D wide. Which of them is read down a column below, and needs one float more a row?
  // END TODO(1)

  const int expert = blockIdx.y;
  const int end = offsets[expert + 1];
  const float* const W = W2 + expert * H * D;  // [H,D], this expert's own
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int first_h = blockIdx.x * kWidth;

  for (int first = offsets[expert] + blockIdx.z * kRows; first < end; first += gridDim.z * kRows) {
    const int row = first + y;
    float sum = 0.0f;
    for (int step = 0; step < D; step += kWidth) {
      // TODO(2): fill both tiles, lanes side by side along D in both. A thread fetches 1 element of
      // dYs and 4 of W2; what lies outside of the matrices, or belongs to another expert, is 0.
      // END TODO(2)

      // TODO(3): the part of the dot product that these tiles hold, for row `row` and hidden unit
      // first_h + x; and a barrier where one is needed.
      // END TODO(3)
    }
    // TODO(4): the result, if there is such a row and such a hidden unit.
    // END TODO(4)
  }
}

}  // namespace

void expert_hidden_grad(const float* dYs, const float* W2, const int* offsets, float* dA, int P,
                        int E, int H, int D, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(kWidth, kRows);
  const int row_tiles = (P + kRows - 1) / kRows;
  const dim3 grid((H + kWidth - 1) / kWidth, E,
                  row_tiles < kMostRowTiles ? row_tiles : kMostRowTiles);
  expert_hidden_grad_kernel<<<grid, block, 0, stream>>>(dYs, W2, offsets, dA, H, D);
}

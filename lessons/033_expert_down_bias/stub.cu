// 033 expert_down_bias: Ys[rows of e] += b2[e], in place; a thread keeps one number of the bias and
// walks down its expert's rows.
//
// Ys [P,D] and b2 [E,D] are row-major float arrays, offsets [E+1] holds ints, all in device memory.
// Expert e owns rows offsets[e] .. offsets[e+1]-1, possibly none. P may be 0; E and D are at least
// 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void expert_down_bias_kernel(float* Ys, const float* b2, const int* offsets, int D) {
  // TODO(1): this thread's column, from the grid's x; return if there is none. The block's
  // expert, from the grid's y, and its number of the bias for this column, read once and kept.
  // END TODO(1)

  // TODO(2): walk down the expert's rows and add the bias to this column of each.
  // END TODO(2)
}

}  // namespace

void expert_down_bias(float* Ys, const float* b2, const int* offsets, int P, int E, int D,
                      cudaStream_t stream) {
  if (P == 0) return;

  // TODO(3): blocks of kThreads: along x enough for D columns, along y one for each expert.
  expert_down_bias_kernel<<<1, kThreads, 0, stream>>>(Ys, b2, offsets, D);
  // END TODO(3)
}

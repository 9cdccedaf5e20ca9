// 029 expert_up: Z[rows of e] = Xs[rows of e] W1[e] for every expert e, in one grouped launch.
//
// Xs [P,D], W1 [E,D,H] and Z [P,H] are row-major float arrays, offsets [E+1] holds ints, all in
// device memory. Expert e owns rows offsets[e] .. offsets[e+1]-1, possibly none. P may be 0; E, D
// and H are at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kMostRowBlocks = 64;  // of an expert: its blocks walk on if it has more rows

__global__ void expert_up_kernel(const float* Xs, const float* W1, const int* offsets, float* Z,
                                 int D, int H) {
  // TODO(1): the block's expert is its y in the grid. Read where the expert's rows begin and end,
  // and find where its own [D,H] weights begin in W1.
  // END TODO(1)

  // TODO(2): all blocks of the expert walk down its rows together, a row for each y of a block;
  // the 32 threads of a row walk along its H columns, as in 024. Each element is a dot product of
  // D terms, written once.
  // END TODO(2)
}

}  // namespace

void expert_up(const float* Xs, const float* W1, const int* offsets, float* Z, int P, int E, int D,
               int H, cudaStream_t stream) {
  if (P == 0) return;

  const dim3 block(32, 8);
  // TODO(3): the grid: along y the experts, along x enough blocks for an expert that owns all P
  // rows, yet no more than kMostRowBlocks.
  expert_up_kernel<<<1, block, 0, stream>>>(Xs, W1, offsets, Z, D, H);
  // END TODO(3)
}

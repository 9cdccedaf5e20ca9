// 022 expert_offsets: offsets[e] = counts[0] + ... + counts[e - 1], a parallel prefix sum in one
// block.
//
// counts [E] and offsets [E+1] are int arrays in device memory; offsets[E] is the total. E is at
// least 1 and at most 1,024.
#include "moe/kernels.h"

namespace {

constexpr int kMostExperts = 1024;  // as many as a block may have threads

__global__ void expert_offsets_kernel(const int* counts, int* offsets, int E) {
  __shared__ int sums[kMostExperts];
  const int e = threadIdx.x;  // one thread per expert: the block has exactly E

  // TODO(1): each entry begins as the sum of one count, its own. Then all threads meet.
  // END TODO(1)

  // TODO(2): the doubling loop, `reach` = 1, 2, 4, ... as long as it is below E. In each step an
  // entry adds the sum that stands `reach` places to its left, if there is such a place. That
  // neighbour changes its sum in the same step: put two barriers where they are needed.
  // END TODO(2)

  // TODO(3): write E + 1 offsets: sums[e] includes counts[e] itself, so whose beginning is it?
  // END TODO(3)
}

}  // namespace

void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream) {
  expert_offsets_kernel<<<1, E, 0, stream>>>(counts, offsets, E);
}

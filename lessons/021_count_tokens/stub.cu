// 021 count_tokens: counts[e] = how many pairs chose expert e, a private histogram for each block.
//
// experts [pairs] and counts [E] are int arrays in device memory. pairs may be 0, which makes every
// count 0; E is at least 1 and at most 1,024.
#include <algorithm>

#include "moe/kernels.h"

namespace {

__global__ void count_tokens_kernel(const int* experts, int* counts, int pairs, int E) {
  // The block's own counts: as many as the launch made room for.
  extern __shared__ int histogram[];
  // TODO(1): set all E of them to 0: E may be more than the block has threads. Who must wait?
  // END TODO(1)

  // TODO(2): a grid-stride loop over the pairs (006): one more for the expert of each.
  // END TODO(2)

  // TODO(3): when the whole block has counted, add its E numbers to `counts`, as all blocks do.
  // END TODO(3)
}

}  // namespace

void count_tokens(const int* experts, int* counts, int pairs, int E, cudaStream_t stream) {
  // All counts to 0 first. It is on the same stream, hence done before the kernel begins.
  cudaMemsetAsync(counts, 0, E * sizeof(int), stream);
  if (pairs == 0) return;

  // At most 1,024 blocks: each further one would cost up to E additions to global memory.
  const int threads = 256;
  const int blocks = std::min((pairs + threads - 1) / threads, 1024);
  // TODO(4): the third entry of the launch is how many bytes of shared memory a block gets: room
  // for E ints.
  count_tokens_kernel<<<blocks, threads, 0, stream>>>(experts, counts, pairs, E);
  // END TODO(4)
}

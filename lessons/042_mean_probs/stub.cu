// 042 mean_probs: means[e] = the mean of probs[t,e] over the tokens t, rows folded into one block.
//
// probs [T,E] is a row-major float array, means [E] a float array, both in device memory. With no
// tokens every mean is 0. E is 1 to 1,024.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 1024;

__global__ void mean_probs_kernel(const float* probs, float* means, int T, int E) {
  __shared__ float partial[kThreads];
  const int thread = threadIdx.x;

  // TODO(1): walk over the T E numbers of probs as one flat list and add up this thread's. Start at
  // `thread`; with which stride does a thread stay on one column, whatever E is? Name it `stride`.
  // Threads past the stride have nothing to add.
  // END TODO(1)

  // TODO(2): put the sum in this thread's place of `partial`, then wait for the whole block.
  // END TODO(2)

  // TODO(3): threads 0 to E - 1 own an expert each. Add up the column's partial sums, and write
  // their mean over the tokens; 0 if there are no tokens.
  // END TODO(3)
}

}  // namespace

void mean_probs(const float* probs, float* means, int T, int E, cudaStream_t stream) {
  // No early return for no tokens: the means are still written.
  mean_probs_kernel<<<1, kThreads, 0, stream>>>(probs, means, T, E);
}

// 041 dispatch_fractions: f_e = counts[e] / pairs, each expert's share of the pairs.
//
// counts [E] holds ints, fractions [E] floats, both in device memory. With no pairs every share is
// 0. E is at least 1.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

__global__ void dispatch_fractions_kernel(const int* counts, float* fractions, int pairs, int E) {
  // TODO(1): the expert of this thread. Return if there is none.
  // END TODO(1)

  // TODO(2): write its share, a float between 0 and 1; 0 if there are no pairs at all.
  // END TODO(2)
}

}  // namespace

void dispatch_fractions(const int* counts, float* fractions, int pairs, int E,
                        cudaStream_t stream) {
  // TODO(3): a launch of blocks of kThreads threads, one thread for each expert. What must still
  // happen when pairs is 0?
  dispatch_fractions_kernel<<<1, 1, 0, stream>>>(counts, fractions, pairs, E);
  // END TODO(3)
}

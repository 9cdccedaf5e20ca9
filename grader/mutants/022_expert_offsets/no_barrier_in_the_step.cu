// mistake: missing-barrier
// why: A thread writes its sum while its right neighbour has yet to read the old one.
// rejected-for: race,value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kMostExperts = 1024;  // as many as a block may have threads

__global__ void expert_offsets_kernel(const int* counts, int* offsets, int E) {
  __shared__ int sums[kMostExperts];
  const int e = threadIdx.x;  // one thread per expert: the block has exactly E

  // At first each entry is the sum of one count, its own.
  sums[e] = counts[e];
  __syncthreads();

  // Before each step sums[e] covers the last `reach` counts up to e, after it twice as many.
  for (int reach = 1; reach < E; reach *= 2) {
    // Everybody has read the old sums before anybody writes a new one, and the reverse.
    const int left = e >= reach ? sums[e - reach] : 0;
    sums[e] += left;
    __syncthreads();
  }

  // sums[e] includes counts[e]: it is where the next expert begins.
  offsets[e + 1] = sums[e];
  if (e == 0) offsets[0] = 0;
}

}  // namespace

void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream) {
  expert_offsets_kernel<<<1, E, 0, stream>>>(counts, offsets, E);
}

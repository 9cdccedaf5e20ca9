// mistake: zeroing-in-the-kernel
// why: Block 0 clears the counts while other blocks may already have added.
// rejected-for: race,value
// rejected-on: cpu
#include <algorithm>

#include "moe/kernels.h"

namespace {

__global__ void count_tokens_kernel(const int* experts, int* counts, int pairs, int E) {
  // The block's own counts: as many as the launch made room for.
  extern __shared__ int histogram[];
  for (int e = threadIdx.x; e < E; e += blockDim.x) histogram[e] = 0;
  __syncthreads();
  if (blockIdx.x == 0) {
    for (int e = threadIdx.x; e < E; e += blockDim.x) counts[e] = 0;
  }
  __syncthreads();

  // Two threads may meet at one expert: the addition must not be split. 64 bits, as in 006.
  const long long stride = gridDim.x * blockDim.x;
  for (long long p = blockIdx.x * blockDim.x + threadIdx.x; p < pairs; p += stride) {
    atomicAdd(&histogram[experts[p]], 1);
  }
  __syncthreads();

  // All blocks add to the same counts. Where this one found nothing, it has nothing to add.
  for (int e = threadIdx.x; e < E; e += blockDim.x) {
    if (histogram[e] > 0) atomicAdd(&counts[e], histogram[e]);
  }
}

}  // namespace

void count_tokens(const int* experts, int* counts, int pairs, int E, cudaStream_t stream) {
  // All counts to 0 first. It is on the same stream, hence done before the kernel begins.
  if (pairs == 0) {
    cudaMemsetAsync(counts, 0, E * sizeof(int), stream);
    return;
  }

  // At most 1,024 blocks: each further one would cost up to E additions to global memory.
  const int threads = 256;
  const int blocks = std::min((pairs + threads - 1) / threads, 1024);
  count_tokens_kernel<<<blocks, threads, E * sizeof(int), stream>>>(experts, counts, pairs, E);
}

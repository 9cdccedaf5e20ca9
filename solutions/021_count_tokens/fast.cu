// 021 count_tokens, fast: one launch, no pass that zeroes the counts.
//
// The clear version needs the counts at 0 before any block adds to them: a launch of its own, which
// takes as long as the counting. Here the blocks add to totals that the kernel keeps at 0 between
// calls, and the last block to finish hands them over. Integers: whatever the order, the counts are
// the same. The pairs come four a load, several loads a thread. Calls on two streams at the same
// time would share the totals: they must be ordered.
#include <algorithm>
#include <cstdint>

#include "../fast/last_block.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostExperts = 1024;
constexpr int kMostBlocks = 264;  // two for each multiprocessor of a large GPU

__device__ int totals[kMostExperts];  // 0 between calls
__device__ unsigned finished;         // blocks that have added: back at 0 after the last

__global__ void __launch_bounds__(kThreads)
count_tokens_kernel(const int* experts, int* counts, int pairs, int E) {
  __shared__ int histogram[kMostExperts];
  for (int e = threadIdx.x; e < E; e += kThreads) histogram[e] = 0;
  __syncthreads();

  // Single pairs up to the first 16-byte border, then four at a time, then the rest.
  const int thread = blockIdx.x * kThreads + threadIdx.x;
  const int threads = gridDim.x * kThreads;
  const int off = static_cast<int>(reinterpret_cast<std::uintptr_t>(experts) % 16 / 4);
  const int head = min(pairs, (4 - off) % 4);
  const int fours = (pairs - head) / 4;
  const auto* const vectors = reinterpret_cast<const int4*>(experts + head);
#pragma unroll 4
  for (int i = thread; i < fours; i += threads) {
    const int4 four = vectors[i];
    atomicAdd(&histogram[four.x], 1);
    atomicAdd(&histogram[four.y], 1);
    atomicAdd(&histogram[four.z], 1);
    atomicAdd(&histogram[four.w], 1);
  }
  const int tail = head + 4 * fours;
  if (thread < head) atomicAdd(&histogram[experts[thread]], 1);
  if (thread < pairs - tail) atomicAdd(&histogram[experts[tail + thread]], 1);
  __syncthreads();

  for (int e = threadIdx.x; e < E; e += kThreads) {
    if (histogram[e] > 0) atomicAdd(&totals[e], histogram[e]);
  }
  if (!fast::last_to_arrive(&finished, gridDim.x)) return;
  for (int e = threadIdx.x; e < E; e += kThreads) counts[e] = atomicExch(&totals[e], 0);
}

}  // namespace

void count_tokens(const int* experts, int* counts, int pairs, int E, cudaStream_t stream) {
  const int pairs_of_block = kThreads * 4;
  const int blocks = std::clamp(pairs / pairs_of_block, 1, kMostBlocks);
  count_tokens_kernel<<<blocks, kThreads, 0, stream>>>(experts, counts, pairs, E);
}

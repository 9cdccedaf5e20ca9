// 022 expert_offsets, fast: a scan in registers, with one barrier.
//
// The clear version takes two barriers for each doubling, twenty for 1,024 experts. Here each warp
// scans its 32 counts by shuffles; the warps' totals meet in shared memory, behind the only
// barrier, and every warp adds up for itself those before it.
#include "../fast/warp.h"
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;

__device__ int warp_sum(int value) {
  for (int bit = kWarpSize / 2; bit > 0; bit /= 2) {
    value += __shfl_xor_sync(fast::kAllLanes, value, bit);
  }
  return value;
}

// One block of whole warps, a thread for each expert and some to spare.
__global__ void expert_offsets_kernel(const int* counts, int* offsets, int E) {
  __shared__ int totals[kWarpSize];  // of the warps: at most 32 in a block
  const int e = threadIdx.x;
  const int lane = e % kWarpSize;
  const int warp = e / kWarpSize;

  int sum = fast::running_sum(e < E ? counts[e] : 0);
  if (lane == kWarpSize - 1) totals[warp] = sum;
  __syncthreads();
  sum += warp_sum(lane < warp ? totals[lane] : 0);

  if (e < E) offsets[e + 1] = sum;
  if (e == 0) offsets[0] = 0;
}

}  // namespace

void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream) {
  const int threads = (E + kWarpSize - 1) / kWarpSize * kWarpSize;
  expert_offsets_kernel<<<1, threads, 0, stream>>>(counts, offsets, E);
}

// right: each warp scans its 32 counts by shuffles, one warp then scans the totals.
#include "moe/kernels.h"

namespace {

__device__ int inclusive_scan_of_warp(int x) {
  const int lane = threadIdx.x % 32;
  for (int reach = 1; reach < 32; reach *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, x, reach);
    if (lane >= reach) x += left;
  }
  return x;
}

__global__ void __launch_bounds__(1024)
offsets_kernel(const int* counts, int* offsets, int E) {
  __shared__ int totals[32];
  const int e = threadIdx.x, lane = e % 32, warp = e / 32;
  const int own = e < E ? counts[e] : 0;
  const int inclusive = inclusive_scan_of_warp(own);
  if (lane == 31) totals[warp] = inclusive;
  __syncthreads();
  if (warp == 0) totals[lane] = inclusive_scan_of_warp(totals[lane]);
  __syncthreads();
  const int before = warp > 0 ? totals[warp - 1] : 0;
  if (e < E) offsets[e] = before + inclusive - own;
  if (e == E - 1) offsets[E] = before + inclusive;
}

}  // namespace

void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream) {
  offsets_kernel<<<1, 1024, 0, stream>>>(counts, offsets, E);
}

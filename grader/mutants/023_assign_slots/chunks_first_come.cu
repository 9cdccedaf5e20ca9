// mistake: first-come
// why: Chunks of 4,096 pairs are stable inside, but take their slots in the order of their arrival.
// rejected-for: value
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;
constexpr int kWarpsPerBlock = 8;
constexpr int kChunk = 4096;
constexpr int kMostExperts = 1024;
constexpr unsigned kAllLanes = 0xffffffffu;

__device__ int next_slot[kMostExperts];

__global__ void begin_kernel(const int* offsets, int E) {
  const int expert = blockIdx.x * blockDim.x + threadIdx.x;
  if (expert < E) next_slot[expert] = offsets[expert];
}

__global__ void assign_slots_kernel(const int* experts, int* slot_of_pair, int* pair_of_slot,
                                    int pairs, int E) {
  const int lane = threadIdx.x % kWarpSize;
  const int expert = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (expert >= E) return;  // the whole warp: no lane will be missing below

  const int begin = blockIdx.y * kChunk;
  const int end = pairs - begin < kChunk ? pairs : begin + kChunk;

  int count = 0;
  for (int first = begin; first < end; first += kWarpSize) {
    const int p = first + lane;
    count += __popc(__ballot_sync(kAllLanes, p < end && experts[p] == expert));
  }

  // Whichever chunk comes first has the first slots.
  int base = 0;
  if (lane == 0 && count > 0) base = atomicAdd(&next_slot[expert], count);
  base = __shfl_sync(kAllLanes, base, 0);

  for (int first = begin; first < end; first += kWarpSize) {
    const int p = first + lane;
    const bool mine = p < end && experts[p] == expert;
    const unsigned votes = __ballot_sync(kAllLanes, mine);
    if (mine) {
      const unsigned lower_lanes = (1u << lane) - 1;
      const int slot = base + __popc(votes & lower_lanes);
      slot_of_pair[p] = slot;
      pair_of_slot[slot] = p;
    }
    base += __popc(votes);
  }
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  if (pairs == 0) return;

  begin_kernel<<<(E + 255) / 256, 256, 0, stream>>>(offsets, E);
  const dim3 grid((E + kWarpsPerBlock - 1) / kWarpsPerBlock, (pairs + kChunk - 1) / kChunk);
  assign_slots_kernel<<<grid, kWarpsPerBlock * kWarpSize, 0, stream>>>(experts, slot_of_pair,
                                                                       pair_of_slot, pairs, E);
}

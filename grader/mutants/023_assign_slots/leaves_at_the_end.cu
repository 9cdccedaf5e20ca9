// mistake: vote-in-a-branch
// why: Lanes past the end leave the loop before the vote that names them.
// rejected-for: barrier_divergence
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;
constexpr int kWarpsPerBlock = 8;
constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void assign_slots_kernel(const int* experts, const int* offsets, int* slot_of_pair,
                                    int* pair_of_slot, int pairs, int E) {
  const int lane = threadIdx.x % kWarpSize;
  const int expert = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (expert >= E) return;  // the whole warp: no lane will be missing below

  int base = offsets[expert];  // the slot of this expert's next pair
  for (int p = lane; p < pairs; p += kWarpSize) {
    const bool mine = experts[p] == expert;
    const unsigned votes = __ballot_sync(kAllLanes, mine);
    if (mine) {
      const unsigned lower_lanes = (1u << lane) - 1;
      const int slot = base + __popc(votes & lower_lanes);
      slot_of_pair[p] = slot;
      pair_of_slot[slot] = p;
    }
    base += __popc(votes);  // the same in all lanes
  }
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  // A warp for each expert, as 018 had one for each token. E is at least 1, so no block count of 0.
  const int blocks = (E + kWarpsPerBlock - 1) / kWarpsPerBlock;
  assign_slots_kernel<<<blocks, kWarpsPerBlock * kWarpSize, 0, stream>>>(
      experts, offsets, slot_of_pair, pair_of_slot, pairs, E);
}

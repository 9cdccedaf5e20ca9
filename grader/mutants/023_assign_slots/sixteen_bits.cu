// mistake: sixteen-bits
// why: The map keeps 16 bits of a pair, so pair 65,536 is taken for pair 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;
constexpr int kWarpsPerBlock = 8;
constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void assign_slots_kernel(const int* experts, const int* offsets, int* slot_of_pair,
                                    int* pair_of_slot, int pairs, int E) {
  // TODO(1): the lane of this thread and the expert of its warp; return if there is no such expert.
  const int lane = threadIdx.x % kWarpSize;
  const int expert = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarpSize;
  if (expert >= E) return;  // the whole warp: no lane will be missing below
  // END TODO(1)

  // TODO(2): walk the list, 32 pairs a step, every lane in every step: vote, rank, write, move on.
  int base = offsets[expert];  // the slot of this expert's next pair
  for (int first = 0; first < pairs; first += kWarpSize) {
    // The lanes past the end stay and vote no.
    const int p = first + lane;
    const bool mine = p < pairs && experts[p] == expert;
    const unsigned votes = __ballot_sync(kAllLanes, mine);
    if (mine) {
      const unsigned lower_lanes = (1u << lane) - 1;
      const int slot = base + __popc(votes & lower_lanes);
      slot_of_pair[p] = slot;
      pair_of_slot[slot] = static_cast<unsigned short>(p);
    }
    base += __popc(votes);  // the same in all lanes
  }
  // END TODO(2)
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  // A warp for each expert, as 018 had one for each token. E is at least 1, so no block count of 0.
  const int blocks = (E + kWarpsPerBlock - 1) / kWarpsPerBlock;
  assign_slots_kernel<<<blocks, kWarpsPerBlock * kWarpSize, 0, stream>>>(
      experts, offsets, slot_of_pair, pair_of_slot, pairs, E);
}

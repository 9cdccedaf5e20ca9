// right: one warp ranks the pairs of all experts at once by __match_any_sync.
#include "moe/kernels.h"

namespace {

constexpr int kWarpSize = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

__global__ void assign_slots_kernel(const int* experts, const int* offsets, int* slot_of_pair,
                                    int* pair_of_slot, int pairs, int E) {
  __shared__ int next[1024];  // each expert's next slot
  const int lane = threadIdx.x;
  for (int e = lane; e < E; e += kWarpSize) next[e] = offsets[e];
  __syncwarp();
  for (int first = 0; first < pairs; first += kWarpSize) {
    const int p = first + lane;
    const int e = p < pairs ? experts[p] : -1;
    const unsigned same = __match_any_sync(kAllLanes, e);
    const int rank = __popc(same & ((1u << lane) - 1));
    const int base = e >= 0 ? next[e] : 0;
    __syncwarp();
    if (e >= 0) {
      slot_of_pair[p] = base + rank;
      pair_of_slot[base + rank] = p;
      if (rank == 0) next[e] = base + __popc(same);
    }
    __syncwarp();
  }
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  assign_slots_kernel<<<1, kWarpSize, 0, stream>>>(experts, offsets, slot_of_pair, pair_of_slot,
                                                   pairs, E);
}

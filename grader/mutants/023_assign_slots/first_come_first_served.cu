// mistake: first-come
// why: An atomic counter an expert: the pairs of one expert stand in any order.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__device__ int taken[1024];  // slots given away, an expert each

__global__ void clear_kernel(int E) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < E) taken[e] = 0;
}

__global__ void assign_slots_kernel(const int* experts, const int* offsets, int* slot_of_pair,
                                    int* pair_of_slot, int pairs) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  const int slot = offsets[experts[p]] + atomicAdd(&taken[experts[p]], 1);
  slot_of_pair[p] = slot;
  pair_of_slot[slot] = p;
}

}  // namespace

void assign_slots(const int* experts, const int* offsets, int* slot_of_pair, int* pair_of_slot,
                  int pairs, int E, cudaStream_t stream) {
  if (pairs == 0) return;
  clear_kernel<<<(E + 255) / 256, 256, 0, stream>>>(E);
  assign_slots_kernel<<<(pairs + 255) / 256, 256, 0, stream>>>(experts, offsets, slot_of_pair,
                                                               pair_of_slot, pairs);
}

// Happens-before between accesses of one launch.
#pragma once

#include <cstdint>

#include "device.h"

namespace simt::order {

// Which block and warp made the accesses of a group.
struct GroupOwner {
  std::uint64_t group = 0;  // guards against entries that were overwritten
  std::uint32_t block = 0;
  std::uint32_t warp = 0;
};

// Begins a launch; forgets earlier fences.
void begin_launch();
// Reserves `count` consecutive groups for the block's warps, warp i getting the i-th (count > 1) or
// all for one warp (count 1).
std::uint64_t new_groups(const Block& block, unsigned first_warp, unsigned count);
std::uint64_t next_group();
// Null when the group is too old to be remembered.
const GroupOwner* owner(std::uint64_t group);

enum class Verdict {
  ordered,
  ordered_by_shuffle,  // only a shuffle or vote lies between
  unordered,
};
// Is the access `earlier` (of this launch) ordered before whatever `thread` does now?
Verdict before(Record earlier, const Thread& thread);
// Do both belong to one warp of one block?
bool same_warp(Record earlier, const Thread& thread);
bool same_block(Record earlier, const Thread& thread);

// The lanes of a warp meet. `memory`: the operation orders memory too (__syncwarp).
void warp_meets(Warp& warp, std::uint32_t lanes, bool memory);
// All threads of a block met: a new epoch.
void block_meets(Block& block);
// All blocks met (grid sync).
void grid_meets();

void fence(Thread& thread, bool block_only);
// An atomic or volatile access at `address` that writes publishes, one that reads learns.
void publish(Thread& thread, std::uintptr_t address);
void learn(Thread& thread, std::uintptr_t address);

}  // namespace simt::order

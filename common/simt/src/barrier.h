// Block barriers and the grid's barrier.
#pragma once

#include <vector>

#include "device.h"

namespace simt::barriers {

// Every live thread of the block waits at a barrier: they go on, in a new epoch. Threads that
// returned before, and barriers that differ, are reported.
void release(Block& block);
void release_grid(const std::vector<Block*>& blocks);

// The running thread waits for all threads of the grid.
void wait_for_grid(Thread& thread, std::uintptr_t pc);

}  // namespace simt::barriers

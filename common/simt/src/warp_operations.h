// Meetings of the lanes of a warp: shuffles, votes, matches, reductions, __syncwarp, __activemask.
#pragma once

#include "device.h"

namespace simt::warp_operations {

// The running thread brings its exchange (op, mask, value ...) and waits for the lanes of the mask.
// Its result is in the exchange afterwards.
void meet(Thread& thread);

// For the scheduler, when no thread of the block can run. Both say whether something changed.
bool complete_active_masks(Block& block);
// Ends waits for lanes that never arrive, after a report.
bool complete_stuck(Block& block);

}  // namespace simt::warp_operations

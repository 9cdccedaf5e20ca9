// Asynchronous copies from global to shared memory (cuda_pipeline.h): begun by a thread, made when
// it waits for them. Until then what they will write counts as unwritten.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device.h"

namespace simt::async_copies {

// The copy of a thread of the block that is under way to the word; null when there is none.
const AsyncCopy* pending_at(const Block& block, std::uintptr_t address);

}  // namespace simt::async_copies

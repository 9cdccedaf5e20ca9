// The shared memory of resident blocks: where each variable lies, and what is in it when a block
// begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "device.h"
#include "launch.h"

namespace simt::shared_memory {

void begin_launch(const Launch& launch);
void begin_slot(const Block& block);
void begin_block(const Block& block);
void end_launch();

// Bytes of static shared memory that the last finished launch of the kernel at `entry` used.
std::size_t static_bytes(const void* entry);

struct Variable {
  std::string name;
  std::uintptr_t begin = 0;  // offset in the arena
  std::size_t bytes = 0;
  ArrayShape shape;
  bool dynamic = false;
};
// The variable nearest to an offset in the arena's shared part; null when the block has none.
const Variable* nearest(std::uintptr_t offset);

// The dynamic bytes that the launch that runs was given.
std::size_t dynamic_bytes();

}  // namespace simt::shared_memory

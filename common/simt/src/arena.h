// The reservation that holds everything a kernel may touch, and the shadow cells of it.
//
// Layout: device heap | aliases of file-scope variables | shared memory of the resident blocks.
// Pages are only backed once touched, so gaps between allocations are wide and cost nothing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hot.h"
#include "record.h"

namespace simt::arena {

// Reserves address space at first use; ends the process with a message when there is none.
void initialise();

std::uintptr_t heap_begin();  // offsets
std::uintptr_t heap_end();
std::uintptr_t alias_begin();
std::uintptr_t alias_end();
std::uintptr_t shared_begin();
std::uintptr_t bytes();

inline std::uintptr_t address(std::uintptr_t offset) {
  return hot.base + offset;
}
inline bool contains(std::uintptr_t address) {
  return address - hot.base < bytes();
}
inline Cell& cell(std::uintptr_t offset) {
  return *reinterpret_cast<Cell*>(hot.shadow + (offset & ~std::uintptr_t{3}) * (sizeof(Cell) / 4));
}

// Byte-accurate changes to the state of [offset, offset + bytes).
void set_addressable(std::uintptr_t offset, std::size_t bytes, bool addressable);
void set_initialised(std::uintptr_t offset, std::size_t bytes, bool initialised);
void copy_initialised(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
// Forgets the cells of [offset, offset + bytes), whole words.
void forget(std::uintptr_t offset, std::size_t bytes);
// Asks for large pages for the cells of a large allocation.
void prefer_huge_cells(std::uintptr_t offset, std::size_t bytes);
// Gives the pages behind [offset, offset + bytes) and their cells back.
void release_pages(std::uintptr_t offset, std::size_t bytes);

}  // namespace simt::arena

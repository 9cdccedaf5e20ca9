#include "arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace simt {

Hot hot;
thread_local bool drives_kernel = false;

namespace arena {
namespace {

constexpr std::size_t gibibyte = std::size_t{1} << 30;
constexpr std::size_t shared_bytes = 8 * gibibyte;
constexpr std::size_t alias_bytes = 8 * gibibyte;
constexpr std::size_t cells_per_byte = sizeof(Cell) / 4;
constexpr std::size_t page = 4096;

std::size_t total_bytes = 0;

void* reserve(std::size_t bytes) {
  void* place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place == MAP_FAILED ? nullptr : place;
}

// Calls change(cell, mask) for each word that [offset, offset + bytes) touches.
template <class Change>
void for_words(std::uintptr_t offset, std::size_t bytes, Change change) {
  const std::uintptr_t end = offset + bytes;
  for (std::uintptr_t word = offset & ~std::uintptr_t{3}; word < end; word += 4) {
    std::uint64_t mask = 0xF;
    if (word < offset) mask &= 0xFu << (offset - word);
    if (word + 4 > end) mask &= 0xFu >> (word + 4 - end);
    change(cell(word), mask);
  }
}

}  // namespace

void initialise() {
  if (hot.base != 0) return;
  for (std::size_t size = 1024 * gibibyte; size >= 32 * gibibyte; size /= 2) {
    void* data = reserve(size);
    if (data == nullptr) continue;
    void* shadow = reserve(size * cells_per_byte);
    if (shadow == nullptr) {
      munmap(data, size);
      continue;
    }
    hot.base = reinterpret_cast<std::uintptr_t>(data);
    hot.shadow = reinterpret_cast<std::uintptr_t>(shadow);
    madvise(data, size, MADV_DONTDUMP);
    madvise(shadow, size * cells_per_byte, MADV_DONTDUMP);
    total_bytes = size;
    hot.shared_begin = size - shared_bytes;
    return;
  }
  std::fputs("simt: cannot reserve address space for device memory (is RLIMIT_AS set?)\n", stderr);
  std::abort();
}

std::uintptr_t heap_begin() {
  return page;
}
std::uintptr_t heap_end() {
  return alias_begin();
}
std::uintptr_t alias_begin() {
  return total_bytes - shared_bytes - alias_bytes;
}
std::uintptr_t alias_end() {
  return shared_begin();
}
std::uintptr_t shared_begin() {
  return total_bytes - shared_bytes;
}
std::uintptr_t bytes() {
  return total_bytes;
}

void set_addressable(std::uintptr_t offset, std::size_t bytes, bool addressable) {
  for_words(offset, bytes, [=](Cell& cell, std::uint64_t mask) {
    if (addressable) {
      cell.state |= (mask << state::addressable_shift) | state::records;
    } else {
      cell.state &= ~(mask << state::addressable_shift);
    }
  });
}

void set_initialised(std::uintptr_t offset, std::size_t bytes, bool initialised) {
  for_words(offset, bytes, [=](Cell& cell, std::uint64_t mask) {
    if (initialised) {
      cell.state |= mask << state::initialised_shift;
    } else {
      cell.state &= ~(mask << state::initialised_shift);
    }
  });
}

void copy_initialised(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (((to | from) & 3) == 0) {
    for (; bytes >= 4; bytes -= 4, to += 4, from += 4) {
      Cell& target = cell(to);
      target.state = (target.state & ~state::initialised) | (cell(from).state & state::initialised);
    }
  }
  for (; bytes > 0; --bytes, ++to, ++from) {
    const std::uint64_t bit = cell(from).state >> (state::initialised_shift + (from & 3)) & 1;
    set_initialised(to, 1, bit != 0);
  }
}

void forget(std::uintptr_t offset, std::size_t bytes) {
  const std::uintptr_t first = offset & ~std::uintptr_t{3};
  const std::uintptr_t last = (offset + bytes + 3) & ~std::uintptr_t{3};
  std::memset(&cell(first), 0, (last - first) * cells_per_byte);
}

// The cells of a large array are all touched at once: with huge pages that costs a quarter.
void prefer_huge_cells(std::uintptr_t offset, std::size_t bytes) {
  constexpr std::uintptr_t huge = std::uintptr_t{2} << 20;
  const auto first = reinterpret_cast<std::uintptr_t>(&cell(offset));
  const std::uintptr_t begin = first / huge * huge;
  const std::uintptr_t end = (first + bytes * cells_per_byte + huge - 1) / huge * huge;
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

void release_pages(std::uintptr_t offset, std::size_t bytes) {
  const std::uintptr_t first = offset / page * page;
  const std::uintptr_t last = (offset + bytes + page - 1) / page * page;
  madvise(reinterpret_cast<void*>(address(first)), last - first, MADV_DONTNEED);
  madvise(&cell(first), (last - first) * cells_per_byte, MADV_DONTNEED);
}

}  // namespace arena
}  // namespace simt

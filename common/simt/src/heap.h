// The table of allocations: what cudaMalloc and its kin gave out, what was freed, what harnesses
// named, and the file-scope variables of kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simt/lowering.h"

namespace simt {

enum class MemoryKind { device, managed, host, device_symbol, constant_symbol };

struct Allocation {
  std::uintptr_t begin = 0;   // address
  std::size_t bytes = 0;      // as asked for
  std::uintptr_t offset = 0;  // in the arena: of the memory, or of the alias that holds the cells
  MemoryKind kind = MemoryKind::device;
  bool freed = false;
  bool input = false;         // a lesson's function may not write it
  std::uintptr_t origin = 0;  // the instruction that allocated, for reports

  std::uintptr_t valid_begin = 0;  // restricted by a harness, else all of it
  std::uintptr_t valid_end = 0;
  std::string name;
  std::vector<std::string> axes;
  std::vector<long> extents;
  std::size_t element_bytes = 0;  // 0: not known
  bool restricted() const { return valid_begin != begin || valid_end != begin + bytes; }
};

namespace heap {

// Null when the model device's memory is used up.
Allocation* allocate(std::size_t bytes, MemoryKind kind, std::uintptr_t origin);
void release(Allocation& allocation);
void release_all();

// The allocation, freed ones included, whose [begin, begin + bytes) holds the address.
Allocation* find(std::uintptr_t address);
// The allocation that an access at this address of the arena most likely meant: the nearest.
Allocation* nearest(std::uintptr_t address);
// The one that ends where a pointer past its last byte points; null when there is none.
Allocation* find_ending_at(std::uintptr_t address);
void each_live(const std::function<void(const Allocation&)>& use);
std::size_t live_count();
std::size_t bytes_in_use();

void add_symbol(std::uintptr_t address, std::size_t bytes, const ArrayShape& shape,
                const char* name, SymbolKind kind);
void remove_symbol(std::uintptr_t address);
Allocation* find_symbol(std::uintptr_t address);
// The bytes of all variables that kernels may write, by address.
using VariableValues = std::map<std::uintptr_t, std::vector<unsigned char>>;
VariableValues variable_values();
void restore_variables(const VariableValues& values);
// The variable that an access this close to it most likely meant; null when none is near.
Allocation* nearest_symbol(std::uintptr_t address);

}  // namespace heap

// The 32-bit pattern of memory that nothing wrote.
void set_poison(std::uint32_t pattern);
std::uint64_t poison_pattern();
void fill_with_poison(void* memory, std::size_t bytes);

}  // namespace simt

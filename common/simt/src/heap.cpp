#include "heap.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "arena.h"
#include "model_device.h"

namespace simt {
namespace {

constexpr std::size_t smallest_gap = std::size_t{4} << 20;
constexpr std::size_t placement = 4096;

std::uint32_t poison = 0x7fc0dead;

struct Table {
  std::map<std::uintptr_t, std::unique_ptr<Allocation>> by_address;
  std::map<std::uintptr_t, std::unique_ptr<Allocation>> symbols;
  std::uintptr_t next_heap = 0;
  std::uintptr_t next_alias = 0;
  std::size_t live = 0;
  std::size_t in_use = 0;
};

Table& table() {
  static Table* const instance = new Table;  // outlives static destructors of kernels
  return *instance;
}

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

Allocation* containing(const std::map<std::uintptr_t, std::unique_ptr<Allocation>>& map,
                       std::uintptr_t address) {
  auto after = map.upper_bound(address);
  if (after == map.begin()) return nullptr;
  Allocation* candidate = std::prev(after)->second.get();
  return address - candidate->begin < std::max<std::size_t>(candidate->bytes, 1) ? candidate
                                                                                 : nullptr;
}

}  // namespace

namespace heap {

Allocation* allocate(std::size_t bytes, MemoryKind kind, std::uintptr_t origin) {
  arena::initialise();
  Table& all = table();
  if (bytes > model_device().totalGlobalMem - std::min(all.in_use, model_device().totalGlobalMem)) {
    return nullptr;
  }
  if (all.next_heap == 0) all.next_heap = arena::heap_begin() + smallest_gap;
  const std::size_t space = rounded_up(bytes + 1, placement) + std::max(smallest_gap, bytes);
  if (all.next_heap + space > arena::heap_end()) {
    // Address space is used up: start again where nothing lives.
    for (auto it = all.by_address.begin(); it != all.by_address.end();) {
      it = it->second->freed ? all.by_address.erase(it) : std::next(it);
    }
    std::uintptr_t at = arena::heap_begin() + smallest_gap;
    for (const auto& [address, live] : all.by_address) {
      if (at + space <= live->offset) break;
      at = rounded_up(live->offset + live->bytes, placement) + smallest_gap;
    }
    if (at + space > arena::heap_end()) return nullptr;
    all.next_heap = at;
  }
  auto made = std::make_unique<Allocation>();
  made->offset = all.next_heap;
  if (bytes >= (128u << 10)) {
    made->offset = rounded_up(made->offset, 256u << 10);
    arena::prefer_huge_cells(made->offset, bytes);
  }
  made->begin = arena::address(made->offset);
  made->bytes = bytes;
  made->kind = kind;
  made->origin = origin;
  made->valid_begin = made->begin;
  made->valid_end = made->begin + bytes;
  all.next_heap = made->offset + space;
  arena::set_addressable(made->offset, bytes, true);
  if (kind == MemoryKind::host || kind == MemoryKind::managed) {
    // Host code that no check sees may write it.
    arena::set_initialised(made->offset, bytes, true);
  } else {
    fill_with_poison(reinterpret_cast<void*>(made->begin), bytes);
  }
  ++all.live;
  all.in_use += bytes;
  Allocation* result = made.get();
  all.by_address[made->begin] = std::move(made);
  return result;
}

void release(Allocation& allocation) {
  allocation.freed = true;
  --table().live;
  table().in_use -= allocation.bytes;
  arena::release_pages(allocation.offset, allocation.bytes + 1);
}

void release_all() {
  for (auto& [address, allocation] : table().by_address) {
    if (!allocation->freed) release(*allocation);
  }
}

void each_live(const std::function<void(const Allocation&)>& use) {
  for (const auto& [address, allocation] : table().by_address) {
    if (!allocation->freed) use(*allocation);
  }
}

Allocation* find(std::uintptr_t address) {
  if (!arena::contains(address)) return nullptr;
  return containing(table().by_address, address);
}

Allocation* nearest(std::uintptr_t address) {
  const auto& map = table().by_address;
  auto after = map.upper_bound(address);
  Allocation* above = after == map.end() ? nullptr : after->second.get();
  Allocation* below = after == map.begin() ? nullptr : std::prev(after)->second.get();
  if (above == nullptr || below == nullptr) return above == nullptr ? below : above;
  return above->valid_begin - address < address - below->valid_end ? above : below;
}

Allocation* find_ending_at(std::uintptr_t address) {
  Allocation* candidate = find(address - 1);
  return candidate != nullptr && candidate->begin + candidate->bytes == address ? candidate
                                                                                : nullptr;
}

std::size_t live_count() {
  return table().live;
}
std::size_t bytes_in_use() {
  return table().in_use;
}

void add_symbol(std::uintptr_t address, std::size_t bytes, const ArrayShape& shape,
                const char* name, SymbolKind kind) {
  arena::initialise();
  Table& all = table();
  if (all.next_alias == 0) all.next_alias = arena::alias_begin() + placement;
  const std::size_t space = rounded_up(bytes + 1, placement) + placement;
  if (all.next_alias + space > arena::alias_end())
    all.next_alias = arena::alias_begin() + placement;
  auto made = std::make_unique<Allocation>();
  made->begin = address;
  made->bytes = bytes;
  made->offset = all.next_alias + address % placement % 16;  // the same alignment
  made->kind = kind == SymbolKind::constant_memory  ? MemoryKind::constant_symbol
               : kind == SymbolKind::managed_memory ? MemoryKind::managed
                                                    : MemoryKind::device_symbol;
  made->valid_begin = address;
  made->valid_end = address + bytes;
  made->name = name;
  made->element_bytes = shape.element_bytes;
  for (int i = 0; i < shape.rank && i < 4; ++i) {
    made->extents.push_back(static_cast<long>(shape.extents[i]));
  }
  arena::set_addressable(made->offset, bytes, true);
  arena::set_initialised(made->offset, bytes, true);
  all.next_alias += space;
  all.symbols[address] = std::move(made);
}

void remove_symbol(std::uintptr_t address) {
  auto found = table().symbols.find(address);
  if (found == table().symbols.end()) return;
  arena::release_pages(found->second->offset, found->second->bytes);
  table().symbols.erase(found);
}

Allocation* find_symbol(std::uintptr_t address) {
  return containing(table().symbols, address);
}

VariableValues variable_values() {
  VariableValues values;
  for (const auto& [begin, symbol] : table().symbols) {
    if (symbol->kind == MemoryKind::constant_symbol) continue;
    const auto* first = reinterpret_cast<const unsigned char*>(begin);
    values.try_emplace(begin, first, first + symbol->bytes);
  }
  return values;
}

void restore_variables(const VariableValues& values) {
  for (const auto& [begin, bytes] : values) {
    const Allocation* symbol = find_symbol(begin);
    if (symbol == nullptr || symbol->bytes != bytes.size()) continue;
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<unsigned char*>(begin));
  }
}

Allocation* nearest_symbol(std::uintptr_t address) {
  constexpr std::uintptr_t near = 64 << 10;
  Allocation* best = nullptr;
  std::uintptr_t best_distance = near;
  for (const auto& [begin, symbol] : table().symbols) {
    const std::uintptr_t distance = address < begin ? begin - address
                                    : address < begin + symbol->bytes
                                        ? 0
                                        : address - begin - symbol->bytes;
    if (distance >= best_distance) continue;
    best = symbol.get();
    best_distance = distance;
  }
  return best;
}

}  // namespace heap

void set_poison(std::uint32_t pattern) {
  poison = pattern;
}

std::uint64_t poison_pattern() {
  return poison;
}

void fill_with_poison(void* memory, std::size_t bytes) {
  auto* byte = static_cast<unsigned char*>(memory);
  // The pattern keeps its place within aligned words, whatever the start.
  std::size_t done = 0;
  const auto* pattern = reinterpret_cast<const unsigned char*>(&poison);
  for (; done < bytes && (reinterpret_cast<std::uintptr_t>(byte + done) & 3) != 0; ++done) {
    byte[done] = pattern[reinterpret_cast<std::uintptr_t>(byte + done) & 3];
  }
  std::fill_n(reinterpret_cast<std::uint32_t*>(byte + done), (bytes - done) / 4, poison);
  done += (bytes - done) / 4 * 4;
  for (; done < bytes; ++done) {
    byte[done] = pattern[reinterpret_cast<std::uintptr_t>(byte + done) & 3];
  }
}

}  // namespace simt

// Products of tiles that the lanes of a warp hold together.
#include <mma.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "device_code.h"
#include "launch.h"
#include "reports.h"
#include "scheduler.h"
#include "warp_operations.h"

namespace simt::wmma {
namespace {

// What one lane brings to a product, and where it finds what the others brought.
struct Contribution {
  const Tile* a;
  const Tile* b;
  const Contribution* all[32];
};

// All 32 lanes come here with a pointer each.
void meet(Thread& thread, WarpOp op, Contribution* contribution, const char* function,
          std::uintptr_t pc) {
  if (thread.warp->lanes != ~std::uint32_t{0}) {
    reports::device_assert(thread, pc,
                           std::string(function) + " needs all 32 lanes of a warp; warp " +
                               std::to_string(thread.warp->index) + " of this block has fewer,");
    scheduler::retire(thread);
  }
  WarpExchange& exchange = thread.exchange;
  exchange.op = op;
  exchange.mask = ~std::uint32_t{0};
  exchange.value = reinterpret_cast<std::uintptr_t>(contribution);
  exchange.pc = pc;
  warp_operations::meet(thread);
}

double element(const Tile& tile, unsigned slot) {
  const auto at = [&]<class T>(T) {
    T value;
    std::memcpy(&value, static_cast<const char*>(tile.elements) + slot * sizeof(T), sizeof(T));
    return value;
  };
  switch (tile.type) {
    case ElementType::binary16:
      return static_cast<double>(binary16::to_float(at(static_cast<unsigned short>(0))));
    case ElementType::bfloat16:
      return static_cast<double>(bfloat16::to_float(at(static_cast<unsigned short>(0))));
    case ElementType::tf32:
      // The hardware does not look at the lower bits.
      return static_cast<double>(std::bit_cast<float>(at(0u) & ~0x1fffu));
    case ElementType::float32:
      return static_cast<double>(at(0.0f));
    case ElementType::float64:
      return at(0.0);
    case ElementType::int8:
      return at(static_cast<signed char>(0));
    case ElementType::uint8:
      return at(static_cast<unsigned char>(0));
    case ElementType::int32:
      return at(0);
  }
  return 0;
}

void set_element(ElementType type, void* elements, unsigned slot, double value) {
  const auto put = [&](auto rounded) {
    std::memcpy(static_cast<char*>(elements) + slot * sizeof rounded, &rounded, sizeof rounded);
  };
  switch (type) {
    case ElementType::binary16:
      return put(binary16::from_double(value));
    case ElementType::float32:
      return put(static_cast<float>(value));
    case ElementType::float64:
      return put(value);
    case ElementType::int32:  // wraps
      return put(static_cast<int>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value))));
    default:
      return;  // no accumulator
  }
}

}  // namespace

void begin_transfer(const char* function, const void* pointer, unsigned row_bytes) noexcept {
  Thread& thread = running_thread("wmma");
  const std::uintptr_t pc = SIMT_CALLER;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (address % 32 != 0) {
    reports::bad_access(DiagnosticKind::misaligned,
                        {address, 32, AccessType::read, AccessStrength::plain, pc}, thread);
    scheduler::retire(thread);
  }
  if (row_bytes % 16 != 0) {
    reports::device_assert(thread, pc,
                           std::string(function) + " with rows of " + std::to_string(row_bytes) +
                               " bytes: ldm must be a multiple of 16 bytes,");
    scheduler::retire(thread);
  }
  meet(thread, WarpOp::fragment, nullptr, function, pc);
}

void multiply_add(int m, int n, int k, const Tile& a, const Tile& b, const Tile& c,
                  ElementType result_type, void* result) noexcept {
  Thread& thread = running_thread("wmma");
  const std::uintptr_t pc = SIMT_CALLER;
  Contribution mine{&a, &b, {}};
  meet(thread, WarpOp::fragment, &mine, "mma_sync", pc);
  const auto columns = static_cast<unsigned>(n);
  const auto depth = static_cast<unsigned>(k);
  const unsigned count = static_cast<unsigned>(m) * columns / 32;
  double results[8] = {};
  for (unsigned slot = 0; slot < count; ++slot) {
    const unsigned place = slot * 32 + thread.lane;
    const unsigned row = place / columns;
    const unsigned column = place % columns;
    double sum = 0;
    for (unsigned i = 0; i < depth; ++i) {
      const unsigned in_a = row * depth + i;
      const unsigned in_b = i * columns + column;
      sum +=
          element(*mine.all[in_a % 32]->a, in_a / 32) * element(*mine.all[in_b % 32]->b, in_b / 32);
    }
    results[slot] = sum + element(c, slot);
  }
  // Nobody's operands may change before all have read them: d may be c, and a variable of the next
  // step a or b.
  meet(thread, WarpOp::fragment, nullptr, "mma_sync", pc);
  for (unsigned slot = 0; slot < count; ++slot) {
    set_element(result_type, result, slot, results[slot]);
  }
}

void share_contributions(Thread* lanes, std::uint32_t arrived) {
  const auto contribution = [&](unsigned lane) {
    return reinterpret_cast<Contribution*>(lanes[lane].exchange.value);
  };
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((arrived >> lane & 1) == 0 || contribution(lane) == nullptr) continue;
    Contribution& mine = *contribution(lane);
    for (unsigned other = 0; other < 32; ++other) {
      const bool there = (arrived >> other & 1) != 0 && contribution(other) != nullptr;
      mine.all[other] = there ? contribution(other) : &mine;
    }
  }
}

}  // namespace simt::wmma

#include "simt/warp.h"

#include <bit>
#include <cstring>

#include "device_code.h"
#include "launch.h"
#include "warp_operations.h"

namespace simt {
namespace {

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T value_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

WarpExchange& met(WarpOp op, int variant, std::uint32_t mask, std::uint64_t value,
                  std::uint32_t operand, int width, std::uintptr_t pc) {
  Thread& thread = running_thread("a warp operation");
  WarpExchange& exchange = thread.exchange;
  exchange.op = op;
  exchange.variant = static_cast<std::uint8_t>(variant);
  exchange.mask = mask;
  exchange.value = value;
  exchange.operand = operand;
  exchange.width = width >= 1 && width <= 32 && std::has_single_bit(static_cast<unsigned>(width))
                       ? static_cast<std::uint32_t>(width)
                       : 32;
  exchange.pc = pc;
  warp_operations::meet(thread);
  return exchange;
}

int vote(WarpOp op, std::uint32_t mask, int predicate, std::uintptr_t pc) {
  return static_cast<int>(met(op, 0, mask, predicate != 0, 0, 32, pc).result);
}

}  // namespace
}  // namespace simt

using simt::met;
using simt::WarpOp;

void __syncwarp(unsigned int mask) noexcept {
  met(WarpOp::sync, 0, mask, 0, 0, 32, SIMT_CALLER);
}
unsigned int __activemask() noexcept {
  return static_cast<unsigned>(met(WarpOp::active_mask, 0, 0, 0, 0, 32, SIMT_CALLER).result);
}
int __all_sync(unsigned int mask, int predicate) noexcept {
  return simt::vote(WarpOp::all, mask, predicate, SIMT_CALLER);
}
int __any_sync(unsigned int mask, int predicate) noexcept {
  return simt::vote(WarpOp::any, mask, predicate, SIMT_CALLER);
}
int __uni_sync(unsigned int mask, int predicate) noexcept {
  return simt::vote(WarpOp::uni, mask, predicate, SIMT_CALLER);
}
unsigned int __ballot_sync(unsigned int mask, int predicate) noexcept {
  return static_cast<unsigned>(simt::vote(WarpOp::ballot, mask, predicate, SIMT_CALLER));
}

// clang-format off
#define SHUFFLES(T)                                                                              \
  T __shfl_sync(unsigned int mask, T value, int source, int width) noexcept { return simt::value_of<T>(met(WarpOp::shuffle, 0, mask, simt::bits_of(value), static_cast<unsigned>(source), width, SIMT_CALLER).result); } \
  T __shfl_up_sync(unsigned int mask, T value, unsigned int delta, int width) noexcept { return simt::value_of<T>(met(WarpOp::shuffle, 1, mask, simt::bits_of(value), delta, width, SIMT_CALLER).result); } \
  T __shfl_down_sync(unsigned int mask, T value, unsigned int delta, int width) noexcept { return simt::value_of<T>(met(WarpOp::shuffle, 2, mask, simt::bits_of(value), delta, width, SIMT_CALLER).result); } \
  T __shfl_xor_sync(unsigned int mask, T value, int lane_mask, int width) noexcept { return simt::value_of<T>(met(WarpOp::shuffle, 3, mask, simt::bits_of(value), static_cast<unsigned>(lane_mask), width, SIMT_CALLER).result); } \
  unsigned int __match_any_sync(unsigned int mask, T value) noexcept { return static_cast<unsigned>(met(WarpOp::match_any, 0, mask, simt::bits_of(value), 0, 32, SIMT_CALLER).result); } \
  unsigned int __match_all_sync(unsigned int mask, T value, int* all) noexcept { const simt::WarpExchange& e = met(WarpOp::match_all, 0, mask, simt::bits_of(value), 0, 32, SIMT_CALLER); *all = e.predicate; return static_cast<unsigned>(e.result); }
#define REDUCTION(name, T, variant)                                                              \
  T name(unsigned int mask, T value) noexcept { return static_cast<T>(met(WarpOp::reduce, variant, mask, static_cast<unsigned>(value), 0, 32, SIMT_CALLER).result); }

SHUFFLES(int)
SHUFFLES(unsigned int)
SHUFFLES(long)
SHUFFLES(unsigned long)
SHUFFLES(long long)
SHUFFLES(unsigned long long)
SHUFFLES(float)
SHUFFLES(double)
REDUCTION(__reduce_add_sync, unsigned int, 0)
REDUCTION(__reduce_add_sync, int, 0)
REDUCTION(__reduce_min_sync, unsigned int, 1)
REDUCTION(__reduce_max_sync, unsigned int, 2)
REDUCTION(__reduce_min_sync, int, 3)
REDUCTION(__reduce_max_sync, int, 4)
REDUCTION(__reduce_and_sync, unsigned int, 5)
REDUCTION(__reduce_or_sync, unsigned int, 6)
REDUCTION(__reduce_xor_sync, unsigned int, 7)
// clang-format on

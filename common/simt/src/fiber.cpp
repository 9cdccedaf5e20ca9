#include "fiber.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace simt::fibers {
namespace {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr std::size_t stacks_per_chunk = 64;
// Wide, so that a frame with large local arrays does not reach past it; no memory is behind it.
// With the odd number of pages, stacks do not share the few sets of a TLB and of a second-level
// cache.
constexpr std::size_t guard_bytes = (256 << 10) + 4096;

constexpr std::size_t stride = stack_bytes + guard_bytes;

// A guard makes two mappings of one, and Linux has 65,530 a process: very wide grids go without.
constexpr std::size_t guarded_chunks = 256;

std::vector<std::uintptr_t> chunks;  // where each begins
Fiber* free_list = nullptr;
void (*entry_point)() = nullptr;

void begin(transfer_t from) {
  if (from.data != nullptr) *static_cast<FiberContext*>(from.data) = from.fctx;
  entry_point();
  std::abort();  // a fiber's main never returns
}

void add_chunk() {
  void* place = mmap(nullptr, stride * stacks_per_chunk, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (place == MAP_FAILED) {
    std::fputs("simt: no memory for the stacks of CUDA threads\n", stderr);
    std::abort();
  }
  const auto first = reinterpret_cast<std::uintptr_t>(place);
  chunks.push_back(first);
  const bool guarded = chunks.size() <= guarded_chunks;
  for (std::size_t i = stacks_per_chunk; i-- > 0;) {
    if (guarded) mprotect(reinterpret_cast<void*>(first + i * stride), guard_bytes, PROT_NONE);
    auto* fiber = new Fiber;
    fiber->stack_low = first + i * stride + guard_bytes;
    // Staggered tops: else the innermost frames of all threads share a few cache sets.
    fiber->stack_top = first + (i + 1) * stride - (i % 32) * 128;
    release(fiber);
  }
}

}  // namespace

Fiber* acquire(void (*main)()) {
  entry_point = main;
  if (free_list == nullptr) add_chunk();
  Fiber* fiber = free_list;
  free_list = fiber->next_free;
  fiber->context = make_fcontext(reinterpret_cast<void*>(fiber->stack_top),
                                 fiber->stack_top - fiber->stack_low, begin);
  return fiber;
}

void release(Fiber* fiber) {
  fiber->next_free = free_list;
  free_list = fiber;
}

bool in_guard(std::uintptr_t address) {
  for (std::uintptr_t chunk : chunks) {
    const std::uintptr_t inside = address - chunk;
    if (inside < stride * stacks_per_chunk) {
      return inside % stride < stride - stack_bytes;
    }
  }
  return false;
}

bool contains(std::uintptr_t address) {
  for (std::uintptr_t chunk : chunks) {
    if (address - chunk < stride * stacks_per_chunk) return true;
  }
  return false;
}

namespace {

struct Work {
  void (*function)(void*);
  void* argument;
};

void work_on_large_stack(transfer_t from) {
  for (;;) {
    const Work& work = *static_cast<const Work*>(from.data);
    work.function(work.argument);
    from = jump_fcontext(from.fctx, nullptr);
  }
}

FiberContext begin_large_stack() {
  constexpr std::size_t bytes = 1 << 20;
  char* low = new char[bytes];
  return make_fcontext(low + bytes, bytes, work_on_large_stack);
}

}  // namespace

void on_large_stack(void (*work)(void*), void* argument) {
  const char here = 0;
  if (!contains(reinterpret_cast<std::uintptr_t>(&here))) return work(argument);
  static FiberContext large = begin_large_stack();
  Work task{work, argument};
  large = jump_fcontext(large, &task).fctx;
}

}  // namespace simt::fibers

// Stacks that CUDA threads run on, from a pool, and switches between them.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>

namespace simt {

using FiberContext = boost::context::detail::fcontext_t;

struct Fiber {
  std::uintptr_t stack_low = 0;  // just above the guard page
  std::uintptr_t stack_top = 0;
  FiberContext context = nullptr;
  Fiber* next_free = nullptr;
};

namespace fibers {

inline constexpr std::size_t stack_bytes = 64 << 10;

// A fiber that begins at `main` when it is first switched to.
Fiber* acquire(void (*main)());
// The stack may be in use until the next switch; nothing of it is unwound.
void release(Fiber* fiber);
// Is the address in the guard page of some stack?
bool in_guard(std::uintptr_t address);
// Is it in any stack?
bool contains(std::uintptr_t address);

// Calls `work(argument)`, on a stack of 1 MiB when the caller is on a thread's small one. Not
// nested.
void on_large_stack(void (*work)(void*), void* argument);

// Continues `to`; the caller's place is kept in `*saved`, or lost when that is null.
inline void switch_to(FiberContext to, FiberContext* saved) {
  const auto from = boost::context::detail::jump_fcontext(to, saved);
  if (from.data != nullptr) *static_cast<FiberContext*>(from.data) = from.fctx;
}

}  // namespace fibers
}  // namespace simt

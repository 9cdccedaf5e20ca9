// Runs the blocks of a launch on fibers, one CUDA thread at a time.
#pragma once

#include "device.h"
#include "launch.h"

namespace simt::scheduler {

// Runs every chosen block to its end, or until the launch is stopped.
void run(Launch& launch, const Schedule& schedule);

// ---- Called on the fiber of the running thread ----

// Its state says what it waits for; returns when it is its turn again.
void leave(Thread& thread);
// Lets the others run; `waiting_for_change`: it can only go on once another thread changed
// something.
void yield(Thread& thread);
// Ends the thread, whose stack is abandoned.
[[noreturn]] void retire(Thread& thread);
// Ends the launch.
[[noreturn]] void stop_launch();

// ---- Helpers of barriers and warp operations ----
inline void set_ready_bit(Thread& thread, bool ready) {
  std::uint64_t& word = thread.block->ready[thread.position / 64];
  const std::uint64_t bit = std::uint64_t{1} << (thread.position % 64);
  word = ready ? word | bit : word & ~bit;
}
inline void make_ready(Thread& thread) {
  thread.state = ThreadState::ready;
  set_ready_bit(thread, true);
}
inline void make_waiting(Thread& thread, ThreadState state) {
  thread.state = state;
  set_ready_bit(thread, false);
}
// The block entered a new epoch: threads run from the first of the order.
void restart_order(Block& block);
// The part of the arena whose accesses the hooks may decide by themselves: all or nothing.
std::uintptr_t fast_bytes();
// Copies what the checks compare against from the block (and the running thread).
void refresh_hot(Block& block);

}  // namespace simt::scheduler

#include "barrier.h"

#include <cooperative_groups.h>

#include <algorithm>

#include "device_code.h"
#include "hot.h"
#include "launch.h"
#include "order.h"
#include "profile.h"
#include "reports.h"
#include "scheduler.h"
#include "trace.h"

namespace simt {
namespace barriers {
namespace {

// Which barrier this is: the same for all copies an optimiser makes of one barrier in one function,
// other for calls of that function from elsewhere.
std::uint64_t call_chain(const Thread& thread) {
  std::uint64_t hash = 0;
  const int depth = std::min(thread.depth, max_call_depth);
  for (int i = 0; i < depth; ++i) {
    hash = (hash ^ thread.calls[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

[[gnu::always_inline]] inline int wait(int predicate, int id, int line, std::uintptr_t pc) {
  Thread& thread = running_thread("__syncthreads");
  Block& block = *thread.block;
  thread.barrier_id = id;
  thread.barrier_line = line;
  thread.barrier_pc = pc;
  thread.barrier_chain = call_chain(thread);
  scheduler::make_waiting(thread, ThreadState::barrier);
  if (predicate != 0) ++block.barrier_true;
  if (block.at_barrier++ == 0) {
    block.barrier_first = &thread;
  } else if (thread.barrier_id != block.barrier_first->barrier_id ||
             thread.barrier_chain != block.barrier_first->barrier_chain) {
    block.barrier_mismatch = true;
  }
  if (block.at_barrier == block.live) release(block);
  scheduler::leave(thread);
  return block.barrier_result;
}

}  // namespace

void release(Block& block) {
  if (block.returned > 0) reports::threads_missed_barrier(block);
  if (block.barrier_mismatch) reports::different_barriers(block);
  for (Thread& thread : block.threads) {
    if (thread.state == ThreadState::barrier) scheduler::make_ready(thread);
  }
  block.barrier_result = block.barrier_true;
  block.barrier_true = 0;
  profile::barrier_released(block);
  block.barrier_arrived = block.at_barrier;
  block.at_barrier = 0;
  block.barrier_mismatch = false;
  order::block_meets(block);
  scheduler::refresh_hot(block);
  scheduler::restart_order(block);
  ++current_launch->progress;
}

void wait_for_grid(Thread& thread, std::uintptr_t pc) {
  thread.barrier_pc = pc;
  ++thread.block->at_grid_sync;
  scheduler::make_waiting(thread, ThreadState::grid_sync);
  scheduler::leave(thread);
}

void release_grid(const std::vector<Block*>& blocks) {
  for (Block* block : blocks) {
    if (block->returned > 0) reports::threads_missed_barrier(*block);
    trace::grid_barrier(*block);
    for (Thread& thread : block->threads) {
      if (thread.state == ThreadState::grid_sync) scheduler::make_ready(thread);
    }
    block->at_grid_sync = 0;
    scheduler::restart_order(*block);
  }
  // All records so far are in the past; what follows gets new groups.
  order::grid_meets();
  for (Block* block : blocks) order::block_meets(*block);
  ++current_launch->progress;
}

}  // namespace barriers

namespace {
std::uintptr_t caller(void* return_address) {
  return reinterpret_cast<std::uintptr_t>(return_address);
}
}  // namespace

void barrier(int id, int line) noexcept {
  barriers::wait(0, id, line, caller(__builtin_return_address(0)));
}
int barrier_count(int predicate, int id, int line) noexcept {
  return barriers::wait(predicate, id, line, caller(__builtin_return_address(0)));
}
int barrier_and(int predicate, int id, int line) noexcept {
  const int count = barriers::wait(predicate, id, line, caller(__builtin_return_address(0)));
  return static_cast<unsigned>(count) == running_thread("__syncthreads_and").block->barrier_arrived;
}
int barrier_or(int predicate, int id, int line) noexcept {
  return barriers::wait(predicate, id, line, caller(__builtin_return_address(0))) != 0;
}

namespace detail {

void grid_barrier() noexcept {
  Thread& thread = running_thread("grid.sync");
  if (!current_launch->cooperative) {
    reports::grid_sync_without_cooperation(thread, caller(__builtin_return_address(0)));
    scheduler::retire(thread);
  }
  barriers::wait_for_grid(thread, caller(__builtin_return_address(0)));
}

int grid_is_cooperative() noexcept {
  running_thread("this_grid");
  return current_launch->cooperative;
}

unsigned rank_in_block() noexcept {
  return running_thread("thread_rank").linear;
}

}  // namespace detail
}  // namespace simt

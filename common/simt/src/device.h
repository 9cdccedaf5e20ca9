// One launch, its resident blocks, their warps and threads.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "knowledge.h"
#include "record.h"
#include "simt/inspect.h"
#include "simt/lowering.h"

namespace simt {

struct Block;
struct Fiber;
struct Thread;

enum class ThreadState : std::uint8_t {
  fresh,      // has not begun
  ready,      // waits for its turn
  barrier,    // waits at a block barrier
  warp_op,    // waits for the other lanes of a warp operation
  grid_sync,  // waits for the other blocks
  exited,
  faulted,  // ended by a report
};

enum class WarpOp : std::uint8_t {
  none,
  sync,
  shuffle,
  all,
  any,
  uni,
  ballot,
  match_any,
  match_all,
  reduce,
  fragment,  // wmma
  active_mask,
};

// What a lane brings to a warp operation and takes from it.
struct WarpExchange {
  WarpOp op = WarpOp::none;
  std::uint8_t variant = 0;  // which shuffle, which reduction
  bool source_missing = false;
  std::uint32_t mask = 0;
  std::uint64_t value = 0;
  std::uint32_t operand = 0;  // source lane, delta or lane mask of a shuffle
  std::uint32_t width = 32;
  std::uint64_t result = 0;
  bool predicate = false;
  std::uintptr_t pc = 0;
};

// A copy that its thread has begun and not yet waited for.
struct AsyncCopy {
  std::uintptr_t to;
  std::uintptr_t from;
  std::size_t bytes;
  std::size_t copied;  // the rest is zeros
  std::uintptr_t pc;
  std::uint64_t commit;  // the stage it belongs to
};

inline constexpr int max_call_depth = 48;

struct Warp {
  Block* block = nullptr;
  unsigned index = 0;
  std::uint32_t lanes = 0;           // the lanes that exist
  std::uint64_t synced_group = 0;    // groups below are ordered before every lane by a warp sync
  std::uint64_t shuffled_group = 0;  // the same, by shuffles and votes as well
  // Groups of lane j known to lane i by syncs (0) and by shuffles too (1) of some of the lanes;
  // null until the first such operation since the last barrier.
  struct Partial {
    std::uint64_t known[2][32][32];
  };
  Partial* partial = nullptr;
  bool partial_valid = false;
  // Of the device (0) and of the block (1): has a lane fenced since the last sync of all lanes, and
  // the group that began with the last such sync after a fence.
  bool fenced[2] = {false, false};
  std::uint64_t fence_group[2] = {0, 0};
  std::uint32_t waiting = 0;  // lanes at a warp operation
  // Those of them that wait at one operation with one mask: the first that was begun.
  WarpOp gathering = WarpOp::none;
  std::uint32_t gathering_mask = 0;
  std::uint32_t gathered = 0;
};

// The last fence of a thread: its own accesses up to `group`, those of its block below `epoch`, and
// those of its warp that a warp sync had ordered before it came before.
struct Fence {
  std::uint64_t group = 0;
  std::uint64_t epoch = 0;
  std::uint64_t warp_group = 0;  // of the warp below this
  // Lane by lane up to this, after syncs of some of the lanes; null: there were none.
  std::shared_ptr<const std::array<std::uint64_t, 32>> lanes;
};

// What a switch at a barrier looks at comes first, in one cache line: a block's threads and the
// innermost frames of their stacks together are about as large as the first two levels of cache.
struct alignas(64) Thread {
  Block* block = nullptr;
  Fiber* fiber = nullptr;
  std::uint64_t group = 0;  // of its stamps from now on
  ThreadState state = ThreadState::fresh;
  std::uint8_t lane = 0;
  std::uint16_t position = 0;  // in the block's order of execution
  unsigned linear = 0;
  int depth = 0;  // of calls, below
  // At a barrier.
  int barrier_id = 0;
  int barrier_line = 0;
  std::uint64_t barrier_chain = 0;
  std::uintptr_t barrier_pc = 0;
  // End of the line.

  Warp* warp = nullptr;
  uint3 index{0, 0, 0};

  WarpExchange exchange;

  // Fences and what they ordered (knowledge.h).
  Fence fence;        // of the device, or the system
  Fence block_fence;  // __threadfence_block
  Knowledge acquired;
  Knowledge heard;  // what other lanes had acquired, told by a shuffle or vote alone

  std::vector<AsyncCopy> async_copies;  // in the order begun
  std::uint64_t async_commits = 0;

  // The address of the last atomic or volatile access that changed nothing: a spinning thread.
  std::uintptr_t spin_address = 0;
  std::uintptr_t spin_pc = 0;

  // Where the functions on the stack were called.
  std::uintptr_t calls[max_call_depth];
};

struct Block {
  std::size_t linear = 0;
  uint3 index{0, 0, 0};
  unsigned slot = 0;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<std::uint16_t> order;  // thread of each position
  std::vector<std::uint64_t> ready;  // a bit for each position that is fresh or ready
  unsigned cursor = 0;               // position that runs or ran last
  unsigned live = 0;
  unsigned at_barrier = 0;
  unsigned at_grid_sync = 0;
  unsigned returned = 0;
  unsigned faulted = 0;
  bool barrier_mismatch = false;
  Thread* barrier_first = nullptr;  // the first to arrive
  int barrier_true = 0;             // of those at the barrier, who gave a predicate that holds
  int barrier_result = 0;           // how many did at the last barrier
  unsigned barrier_arrived = 0;     // at the last barrier
  bool active = false;
  bool copies_asynchronously = false;
  bool interleaved = false;       // another block ran while this one was resident
  std::uint64_t first_group = 0;  // groups of this block are not below
  std::uint64_t epoch_group = 0;  // groups of this block below are before its last barrier
  std::uint64_t fence_epoch = 0;  // fences before a barrier published everything below
  bool fenced = false;
  Knowledge acquired;
  bool threads_acquired = false;  // something, since the last barrier

  // Yields of spinning threads since something last changed.
  std::uint64_t idle_progress = 0;
  unsigned idle_yields = 0;
};

}  // namespace simt

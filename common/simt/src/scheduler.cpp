#include "scheduler.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "arena.h"
#include "barrier.h"
#include "detector.h"
#include "fiber.h"
#include "hot.h"
#include "order.h"
#include "profile.h"
#include "reports.h"
#include "shared_memory.h"
#include "warp_operations.h"
#include "watchdog.h"

namespace simt {

Launch* current_launch = nullptr;

namespace scheduler {
namespace {

// What the model device holds at once, so that any grid that it admits as cooperative can be.
constexpr unsigned max_resident_blocks = 512;
constexpr std::size_t max_resident_threads = 32768;
constexpr int rounds_before_deadlock = 64;

FiberContext scheduler_context = nullptr;

// The next thread of the order that can run, the running one last; null when none can.
Thread* next_ready(Block& block) {
  if (profile::active) return profile::next(block);
  const unsigned count = static_cast<unsigned>(block.ready.size());
  const unsigned begin = block.cursor + 1;
  unsigned word = begin / 64;
  std::uint64_t mask = ~std::uint64_t{0} << (begin % 64);
  for (unsigned i = 0; i <= count; ++i, ++word, mask = ~std::uint64_t{0}) {
    if (word >= count) {
      word = 0;
      mask = ~std::uint64_t{0};
    }
    const std::uint64_t bits = block.ready[word] & mask;
    if (bits == 0) continue;
    block.cursor = word * 64 + static_cast<unsigned>(std::countr_zero(bits));
    return &block.threads[block.order[block.cursor]];
  }
  return nullptr;
}

void run_threads();

void set_running(Thread& thread) {
  thread.state = ThreadState::ready;
  hot.thread = &thread;
  hot.me = group_record(thread.group) | (Record{thread.lane} << pc_bits);
  hot.stack_low = thread.fiber->stack_low;
  hot.fast_bytes = fast_bytes();
}

void set_idle() {
  hot.thread = nullptr;
  hot.fast_bytes = 0;
}

// Continues `next`, keeping the caller's place in `saved` (null: the caller is done).
void go_to(Thread& next, FiberContext* saved) {
  if (next.state == ThreadState::fresh) next.fiber = fibers::acquire(run_threads);
  set_running(next);
  fibers::switch_to(next.fiber->context, saved);
}

void go_to_scheduler(FiberContext* saved) {
  set_idle();
  fibers::switch_to(scheduler_context, saved);
}

void finish(Thread& thread, ThreadState state) {
  detector::settle();
  Block& block = *thread.block;
  thread.state = state;
  set_ready_bit(thread, false);
  --block.live;
  ++(state == ThreadState::exited ? block.returned : block.faulted);
  ++current_launch->progress;
}

// The main function of every fiber: runs fresh threads one after the other on one stack.
void run_threads() {
  for (;;) {
    Thread& thread = *hot.thread;
    current_launch->invoke(current_launch->closure);
    finish(thread, ThreadState::exited);
    Thread* next = current_launch->stop ? nullptr : next_ready(*thread.block);
    if (next != nullptr && next->state == ThreadState::fresh) {
      next->fiber = thread.fiber;
      set_running(*next);
      continue;
    }
    fibers::release(thread.fiber);
    if (next == nullptr) {
      go_to_scheduler(nullptr);
    } else {
      go_to(*next, nullptr);
    }
  }
}

// ---- Blocks ----

// Places the launch's threads into a slot; the same for every block that runs in it.
void shape_slot(Block& block, const Launch& launch, const std::vector<std::uint16_t>& order) {
  const unsigned count = launch.threads_per_block;
  block.threads.resize(count);
  block.warps.resize((count + 31) / 32);
  block.order = order;
  for (unsigned i = 0; i < block.warps.size(); ++i) {
    Warp& warp = block.warps[i];
    warp.block = &block;
    warp.index = i;
    const unsigned lanes = std::min(32u, count - i * 32);
    warp.lanes = lanes == 32 ? ~0u : (1u << lanes) - 1;
  }
  for (unsigned position = 0; position < count; ++position) {
    Thread& thread = block.threads[order[position]];
    thread.block = &block;
    thread.linear = order[position];
    thread.lane = static_cast<std::uint8_t>(thread.linear % 32);
    thread.warp = &block.warps[thread.linear / 32];
    thread.index = launch.thread_index(thread.linear);
    thread.position = static_cast<std::uint16_t>(position);
  }
}

void begin_block(Block& block, const Launch& launch, std::size_t linear) {
  block.linear = linear;
  block.index = launch.block_index(linear);
  block.active = true;
  block.interleaved = false;
  block.copies_asynchronously = false;
  block.live = launch.threads_per_block;
  block.at_barrier = block.at_grid_sync = block.returned = block.faulted = 0;
  block.barrier_true = 0;
  block.barrier_mismatch = false;
  block.fenced = false;
  block.fence_epoch = 0;
  block.acquired.clear();
  block.threads_acquired = false;
  block.idle_yields = 0;
  const unsigned warps = static_cast<unsigned>(block.warps.size());
  block.first_group = block.epoch_group = order::new_groups(block, 0, warps);
  for (Warp& warp : block.warps) {
    warp.synced_group = warp.shuffled_group = block.first_group + warp.index;
    for (const int scope : {0, 1}) {
      warp.fenced[scope] = false;
      warp.fence_group[scope] = 0;
    }
    warp.partial_valid = false;
    warp.waiting = 0;
    warp.gathering = WarpOp::none;
  }
  for (Thread& thread : block.threads) {
    thread.state = ThreadState::fresh;
    thread.group = block.first_group + thread.warp->index;
    thread.depth = 0;
    thread.exchange.op = WarpOp::none;
    thread.fence = thread.block_fence = {};
    thread.spin_address = thread.spin_pc = thread.barrier_pc = 0;
    if (!thread.acquired.empty()) thread.acquired.clear();
    if (!thread.heard.empty()) thread.heard.clear();
    if (!thread.async_copies.empty()) thread.async_copies.clear();
    thread.async_commits = 0;
  }
  const unsigned words = (launch.threads_per_block + 63) / 64;
  block.ready.assign(words, ~std::uint64_t{0});
  if (launch.threads_per_block % 64 != 0) {
    block.ready.back() = (std::uint64_t{1} << (launch.threads_per_block % 64)) - 1;
  }
  restart_order(block);
  shared_memory::begin_block(block);
  profile::begin_block(block);
}

void abandon(Block& block) {
  for (Thread& thread : block.threads) {
    const ThreadState state = thread.state;
    if (state == ThreadState::fresh || state == ThreadState::exited ||
        state == ThreadState::faulted) {
      continue;
    }
    fibers::release(thread.fiber);
    thread.state = ThreadState::faulted;
  }
  block.active = false;
}

// Runs the block until all its threads wait, or spin, or are done.
void run_ready(Block& block) {
  refresh_hot(block);
  Thread* first = next_ready(block);
  if (first == nullptr) return;
  go_to(*first, &scheduler_context);
}

bool any_ready(const Block& block) {
  return std::any_of(block.ready.begin(), block.ready.end(),
                     [](std::uint64_t w) { return w != 0; });
}

// No thread of the block can run: lets waits end where they can. False: nothing changed.
bool resolve(Block& block) {
  if (block.live == 0 || block.at_grid_sync == block.live) return false;
  if (warp_operations::complete_active_masks(block)) return true;
  if (block.at_barrier == block.live) {
    barriers::release(block);
    return true;
  }
  return warp_operations::complete_stuck(block);
}

// ---- Order of blocks and threads ----

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::vector<std::uint16_t> thread_order(unsigned count, const Schedule& schedule) {
  std::vector<std::uint16_t> order(count);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  if (schedule.order == Order::reverse) std::reverse(order.begin(), order.end());
  if (schedule.order == Order::seeded) {
    std::uint64_t state = schedule.seed;
    for (unsigned i = count; i > 1; --i) {
      state = mixed(state);
      std::swap(order[i - 1], order[state % i]);
    }
  }
  return order;
}

// A permutation of 0 .. count-1, computed element by element.
class BlockOrder {
 public:
  BlockOrder(std::size_t count, const Schedule& schedule) : count_(count), order_(schedule.order) {
    if (order_ != Order::seeded || count < 2) return;
    offset_ = mixed(schedule.seed + 1) % count;
    step_ = 1 + mixed(schedule.seed + 2) % (count - 1);
    while (std::gcd(step_, count) != 1) ++step_;
  }
  std::size_t operator[](std::size_t i) const {
    if (order_ == Order::reverse) return count_ - 1 - i;
    if (order_ == Order::seeded && count_ > 1) {
      return static_cast<std::size_t>((static_cast<Wide>(step_) * i + offset_) % count_);
    }
    return i;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::size_t count_;
  Order order_;
  std::size_t step_ = 1;
  std::size_t offset_ = 0;
};

}  // namespace

void restart_order(Block& block) {
  // The search for the next thread begins after the cursor, so this is before the first.
  block.cursor = ~0u;
}

void refresh_hot(Block& block) {
  hot.block_first = group_record(block.first_group);
  hot.span_shared = group_record(block.epoch_group) - hot.block_first;
  hot.span_global = block.interleaved ? 0 : hot.span_shared;
  if (current_launch->races_enough) {
    // Everything counts as ordered; bounds are still checked.
    hot.launch_first = group_record(std::uint64_t{1} << 35) - 1;
    hot.span_shared = hot.span_global = hot.launch_first - hot.block_first;
  }
  if (Thread* thread = hot.thread) {
    hot.me = group_record(thread->group) | (Record{thread->lane} << pc_bits);
  }
}

void leave(Thread& thread) {
  detector::settle();
  if (watchdog::interrupted()) watchdog::end_launch(thread, 0);
  Thread* next = current_launch->stop ? nullptr : next_ready(*thread.block);
  if (next == &thread) {
    set_running(thread);
    return;
  }
  if (next == nullptr) {
    go_to_scheduler(&thread.fiber->context);
  } else {
    go_to(*next, &thread.fiber->context);
  }
}

std::uintptr_t fast_bytes() {
  return watchdog::interrupted() || profile::active ? 0 : arena::bytes();
}

void yield(Thread& thread) {
  profile::park(thread);
  Block& block = *thread.block;
  if (block.idle_progress != current_launch->progress) {
    block.idle_progress = current_launch->progress;
    block.idle_yields = 0;
  }
  // When every thread that can run has only spun for a few turns, another block may help.
  unsigned able = 0;
  for (std::uint64_t word : block.ready) able += static_cast<unsigned>(std::popcount(word));
  if (++block.idle_yields > 4 * able + 16) {
    block.idle_yields = 0;
    detector::settle();
    if (watchdog::interrupted()) watchdog::end_launch(thread, 0);
    go_to_scheduler(&thread.fiber->context);
    return;
  }
  leave(thread);
}

void retire(Thread& thread) {
  finish(thread, ThreadState::faulted);
  fibers::release(thread.fiber);
  Thread* next = current_launch->stop ? nullptr : next_ready(*thread.block);
  if (next == nullptr) {
    go_to_scheduler(nullptr);
  } else {
    go_to(*next, nullptr);
  }
  __builtin_unreachable();
}

void stop_launch() {
  current_launch->stop = true;
  retire(*hot.thread);
}

void run(Launch& launch, const Schedule& schedule) {
  const BlockOrder block_order(launch.total_blocks, schedule);
  const std::vector<std::uint16_t> threads = thread_order(launch.threads_per_block, schedule);
  const std::size_t blocks = launch.chosen.empty() ? launch.total_blocks : launch.chosen.size();
  const std::size_t most = std::clamp<std::size_t>(max_resident_threads / launch.threads_per_block,
                                                   1, max_resident_blocks);
  std::size_t wanted = std::clamp<std::size_t>(
      static_cast<std::size_t>(std::max(schedule.resident_blocks, 1)), 1, most);
  // Slots outlive launches: their threads need not be made anew.
  static std::vector<std::unique_ptr<Block>> slots;
  std::size_t shaped = 0;
  std::size_t begun = 0;
  std::vector<Block*> resident;
  int idle_rounds = 0;

  const auto begin_next = [&] {
    Block* free_slot = nullptr;
    for (std::size_t i = shaped; i-- > 0;) {
      if (!slots[i]->active) free_slot = slots[i].get();
    }
    if (free_slot == nullptr) {
      if (shaped == slots.size()) slots.push_back(std::make_unique<Block>());
      free_slot = slots[shaped].get();
      free_slot->slot = static_cast<unsigned>(shaped++);
      shape_slot(*free_slot, launch, threads);
      shared_memory::begin_slot(*free_slot);
    }
    const std::size_t at = begun++;
    begin_block(*free_slot, launch, launch.chosen.empty() ? block_order[at] : launch.chosen[at]);
    resident.push_back(free_slot);
    if (resident.size() > 1) {
      for (Block* block : resident) block->interleaved = true;
    }
  };

  while (!launch.stop) {
    while (resident.size() < wanted && begun < blocks) begin_next();
    if (resident.empty()) break;
    const std::uint64_t before = launch.progress;
    for (Block* block : std::vector<Block*>(resident)) {
      do {
        run_ready(*block);
      } while (!launch.stop && !any_ready(*block) && resolve(*block));
      if (launch.stop) break;
      if (block->live == 0) {
        reports::end_block(*block);
        block->active = false;
        std::erase(resident, block);
        ++launch.progress;
      }
    }
    if (launch.stop || launch.progress != before) {
      idle_rounds = 0;
      continue;
    }
    // Nothing moved: the resident blocks wait for one another, or for blocks that have not begun.
    if (begun < blocks && resident.size() < most) {
      wanted = resident.size() + 1;
      continue;
    }
    const bool all_at_grid_sync =
        begun == blocks && std::all_of(resident.begin(), resident.end(), [](const Block* block) {
          return block->live == block->at_grid_sync;
        });
    if (all_at_grid_sync) {
      barriers::release_grid(resident);
      continue;
    }
    const bool spinning =
        std::any_of(resident.begin(), resident.end(), [](const Block* b) { return any_ready(*b); });
    if (spinning && ++idle_rounds < rounds_before_deadlock) continue;
    reports::deadlock(resident, blocks - begun);
    launch.stop = true;
  }
  for (Block* block : resident) abandon(*block);
  set_idle();
}

}  // namespace scheduler
}  // namespace simt

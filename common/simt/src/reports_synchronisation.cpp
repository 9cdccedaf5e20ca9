// Reports of barriers, warp operations and waits without end.
#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "launch.h"
#include "names.h"
#include "report_entry.h"
#include "report_text.h"
#include "reports.h"
#include "symboliser.h"

namespace simt::reports {

std::uintptr_t learners_pc(std::uintptr_t pc, const Thread& thread) {
  int depth = std::min(thread.depth, max_call_depth);
  while (depth > 0) {
    const symboliser::Position& position = symboliser::position(pc);
    if (!symboliser::in_runtime_header(position)) break;
    pc = thread.calls[--depth];
  }
  return pc;
}

namespace {

// Ranges of thread numbers, e.g. "threads 0-31 and 64".
class ThreadList {
 public:
  void add(unsigned thread) {
    ++count_;
    if (!ranges_.empty() && ranges_.back().second + 1 == thread) {
      ranges_.back().second = thread;
    } else {
      ranges_.emplace_back(thread, thread);
    }
  }
  unsigned count() const { return count_; }
  unsigned first() const { return ranges_.empty() ? 0 : ranges_.front().first; }
  std::string text() const {
    std::string list = count_ == 1 ? "thread " : "threads ";
    constexpr std::size_t most_ranges = 4;
    for (std::size_t i = 0; i < ranges_.size() && i < most_ranges; ++i) {
      if (i > 0) list += ", ";
      list += std::to_string(ranges_[i].first);
      if (ranges_[i].second != ranges_[i].first) list += "-" + std::to_string(ranges_[i].second);
    }
    return ranges_.size() > most_ranges ? list + " ..." : list;
  }

 private:
  std::vector<std::pair<unsigned, unsigned>> ranges_;
  unsigned count_ = 0;
};

std::uintptr_t position_of_barrier(const Thread& thread) {
  return learners_pc(thread.barrier_pc, thread);
}

// Are two calls of a barrier the same one in the source? Optimisers copy calls, so return addresses
// differ where lines do not.
bool same_barrier(const Thread& a, const Thread& b) {
  if (a.barrier_id != b.barrier_id || a.depth != b.depth) return false;
  for (int i = 1; i < std::min(a.depth, max_call_depth); ++i) {
    if (a.calls[i] == b.calls[i]) continue;
    const symboliser::Position& at = symboliser::position(a.calls[i]);
    const symboliser::Position& other = symboliser::position(b.calls[i]);
    if (at.line != other.line || at.column != other.column || at.file != other.file) return false;
  }
  return true;
}

}  // namespace

void threads_missed_barrier(const Block& block) {
  if (current_launch->faulted) return;
  ThreadList waiting;
  ThreadList gone;
  std::uintptr_t pc = 0;
  for (const Thread& thread : block.threads) {
    if (thread.state == ThreadState::barrier || thread.state == ThreadState::grid_sync) {
      if (waiting.count() == 0) pc = position_of_barrier(thread);
      waiting.add(thread.linear);
    } else if (thread.state == ThreadState::exited) {
      gone.add(thread.linear);
    }
  }
  Entry* found = fresh_entry(DiagnosticKind::barrier_divergence, pc, 0, block.linear, gone.first());
  if (found == nullptr) return;
  found->divergence = Divergence::block_returned;
  found->text = "barrier: " + std::to_string(waiting.count()) + " of the " +
                names::count(block.threads.size(), "thread") + " of block " +
                names::block(block.linear) + " wait at a barrier that the other " +
                std::to_string(gone.count()) + " never reach; " + gone.text() +
                (gone.count() == 1 ? " has" : " have") +
                " returned\n    Every thread of a block must reach the same barriers: guard the "
                "work, not the "
                "barrier.";
}

void different_barriers(const Block& block) {
  if (current_launch->faulted) return;
  struct Side {
    const Thread* first;
    ThreadList threads;
  };
  std::vector<Side> sides;
  for (const Thread& thread : block.threads) {
    if (thread.state != ThreadState::barrier) continue;
    auto side = std::find_if(sides.begin(), sides.end(),
                             [&](const Side& s) { return same_barrier(*s.first, thread); });
    if (side == sides.end()) side = sides.insert(sides.end(), Side{&thread, {}});
    side->threads.add(thread.linear);
  }
  if (sides.size() < 2) return;
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::tie(a.first->barrier_line, a.first->linear) <
           std::tie(b.first->barrier_line, b.first->linear);
  });
  const Thread& first = *sides[0].first;
  const Thread& other = *sides[1].first;
  // One barrier reached by two ways is told by the calls that differ.
  std::uintptr_t pc = position_of_barrier(first);
  std::uintptr_t other_pc = position_of_barrier(other);
  const bool one_barrier = first.barrier_id == other.barrier_id;
  if (one_barrier) {
    const int depth = std::min({first.depth, other.depth, max_call_depth});
    for (int i = 0; i < depth; ++i) {
      if (first.calls[i] == other.calls[i]) continue;
      pc = first.calls[i];
      other_pc = other.calls[i];
      break;
    }
  }
  Entry* found = fresh_entry(DiagnosticKind::barrier_divergence, pc, other_pc, block.linear,
                             sides[0].threads.first(), 1);
  if (found == nullptr) return;
  found->divergence = Divergence::block_elsewhere;
  found->text =
      "barrier: the threads of block " + names::block(block.linear) +
      (one_barrier ? " reach a barrier by different calls:" : " wait at different barriers:");
  for (const Side& side : sides) {
    const int line = one_barrier && &side == &sides[0]   ? symboliser::position(pc).line
                     : one_barrier && &side == &sides[1] ? symboliser::position(other_pc).line
                                                         : side.first->barrier_line;
    found->text += (&side == &sides.front() ? " " : ", ") + side.threads.text() + " at line " +
                   std::to_string(line);
  }
  found->text += "\n    Every thread of a block must reach the same barrier.";
}

namespace {

const char* name_of(WarpOp op) {
  switch (op) {
    case WarpOp::sync:
      return "__syncwarp";
    case WarpOp::shuffle:
      return "shuffle";
    case WarpOp::all:
    case WarpOp::any:
    case WarpOp::uni:
    case WarpOp::ballot:
      return "vote";
    case WarpOp::match_any:
    case WarpOp::match_all:
      return "match";
    case WarpOp::fragment:
      return "wmma function (all lanes take part)";
    case WarpOp::reduce:
      return "reduction";
    default:
      return "warp operation";
  }
}

std::string hex(std::uint32_t mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// Where a thread is, for tables of who waits for what.
std::string whereabouts(const Thread& thread) {
  switch (thread.state) {
    case ThreadState::exited:
      return "returned";
    case ThreadState::faulted:
      return "ended by an error";
    case ThreadState::barrier:
      return "wait at the barrier of line " + std::to_string(thread.barrier_line);
    case ThreadState::grid_sync:
      return "wait at a grid barrier";
    case ThreadState::warp_op:
      return std::string("wait at the ") + name_of(thread.exchange.op) + " of line " +
             std::to_string(symboliser::position(learners_pc(thread.exchange.pc, thread)).line);
    case ThreadState::fresh:
      return "have not begun";
    case ThreadState::ready:
      return "spin, waiting for a value to change";
  }
  return "unknown";
}

std::string table(const std::vector<const Thread*>& threads) {
  std::map<std::string, ThreadList> rows;
  for (const Thread* thread : threads) rows[whereabouts(*thread)].add(thread->linear);
  std::string text;
  for (const auto& [where, list] : rows) text += "\n    " + list.text() + ": " + where;
  return text;
}

}  // namespace

void missing_lanes(const Warp& warp, std::uint32_t mask, std::uint32_t arrived) {
  if (current_launch->faulted) return;
  const Block& block = *warp.block;
  const Thread* first = nullptr;
  std::vector<const Thread*> missing;
  ThreadList lanes;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint32_t bit = 1u << lane;
    if ((arrived & bit) != 0 && first == nullptr) first = &block.threads[warp.index * 32 + lane];
    if ((mask & ~arrived & bit) != 0) {
      missing.push_back(&block.threads[warp.index * 32 + lane]);
      lanes.add(lane);
    }
  }
  Entry* found =
      fresh_entry(DiagnosticKind::barrier_divergence, learners_pc(first->exchange.pc, *first), 0,
                  block.linear, first->linear, 2);
  if (found == nullptr) return;
  const bool returned = std::all_of(missing.begin(), missing.end(), [](const Thread* thread) {
    return thread->state == ThreadState::exited;
  });
  found->divergence = returned ? Divergence::lanes_returned : Divergence::lanes_elsewhere;
  std::string lane_text = lanes.text();
  lane_text.replace(0, 6, "lane");
  found->text =
      std::string("barrier: the mask ") + hex(first->exchange.mask) + " of this " +
      name_of(first->exchange.op) + " names " + lane_text + " of warp " +
      std::to_string(warp.index) + ", which never " + (lanes.count() == 1 ? "arrives" : "arrive") +
      " (block " + names::block(block.linear) + ")" + table(missing) +
      "\n    Every lane named in the mask must call the same function with the same mask.";
}

void lane_not_in_mask(const Thread& thread) {
  Entry* found =
      fresh_entry(DiagnosticKind::barrier_divergence, learners_pc(thread.exchange.pc, thread), 0,
                  thread.block->linear, thread.linear, 3);
  if (found == nullptr) return;
  found->divergence = Divergence::lane_not_named;
  found->text = "barrier: " + who(found->block, found->thread) + ", lane " +
                std::to_string(thread.lane) + " of its warp, calls a " +
                name_of(thread.exchange.op) + " with the mask " + hex(thread.exchange.mask) +
                ", which does not name it";
}

void absent_source_lane(const Thread& thread, unsigned source) {
  Entry* found =
      fresh_entry(DiagnosticKind::uninitialized_read, learners_pc(thread.exchange.pc, thread), 0,
                  thread.block->linear, thread.linear, 4);
  if (found == nullptr) return;
  found->severity = Severity::note;
  found->text = "uninitialised: " + who(found->block, found->thread) + " takes the value of lane " +
                std::to_string(source) +
                " by a shuffle that this lane has no part in: the value is undefined";
}

void deadlock(const std::vector<Block*>& blocks, std::size_t not_begun) {
  if (current_launch->faulted) return;
  current_launch->error = cudaErrorLaunchTimeout;
  const Block& block = *blocks.front();
  std::vector<const Thread*> threads;
  const Thread* first = nullptr;
  for (const Thread& thread : block.threads) {
    threads.push_back(&thread);
    if (first == nullptr && thread.state != ThreadState::exited) first = &thread;
  }
  if (first == nullptr) first = &block.threads.front();
  std::uintptr_t pc = first->spin_pc;
  if (first->state == ThreadState::barrier || first->state == ThreadState::grid_sync) {
    pc = position_of_barrier(*first);
  } else if (first->state == ThreadState::warp_op) {
    pc = learners_pc(first->exchange.pc, *first);
  }
  Entry* found = fresh_entry(DiagnosticKind::deadlock, pc, 0, block.linear, first->linear);
  if (found == nullptr) return;
  found->text =
      "deadlock: no thread of block " + names::block(block.linear) + " can go on" + table(threads);
  if (not_begun > 0) {
    found->text +=
        "\n    " + names::count(not_begun, "block") +
        " can't begin until a running block ends, so whoever waits for them waits for ever: "
        "a grid-wide barrier needs all blocks resident at once";
  } else if (blocks.size() > 1) {
    found->text += "\n    " + std::to_string(blocks.size() - 1) + " other blocks wait too";
  }
}

void grid_sync_without_cooperation(const Thread& thread, std::uintptr_t pc) {
  current_launch->faulted = true;
  current_launch->error = cudaErrorLaunchFailure;
  Entry* found = fresh_entry(DiagnosticKind::device_assert, learners_pc(pc, thread), 0,
                             thread.block->linear, thread.linear, 5);
  if (found == nullptr) return;
  found->text = "grid.sync() in a launch that is not cooperative (" +
                who(found->block, found->thread) +
                ")\n    Only cudaLaunchCooperativeKernel keeps all blocks resident.";
}

void unfinished_copy(const Access& access, std::uintptr_t address, const Thread& thread,
                     const AsyncCopy& copy) {
  Entry* found =
      fresh_entry(DiagnosticKind::race, access.pc, copy.pc, thread.block->linear, thread.linear, 5);
  if (found == nullptr) return;
  found->access = access;
  found->other_type = AccessType::write;
  found->values_differ = true;
  const names::Element element = names::element(address, access.bytes);
  found->text = "race: " + who(found->block, found->thread) + " reads " + element.text +
                " while an asynchronous copy into it is under way" +
                "\n    The copy may land at any time until its thread waits for it: "
                "__pipeline_commit() and __pipeline_wait_prior() come first, then a barrier if "
                "other threads read.";
}

}  // namespace simt::reports

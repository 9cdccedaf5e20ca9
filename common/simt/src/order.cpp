#include "order.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>

#include "hot.h"

namespace simt {

// What one thread published with one atomic after a fence.
struct Release {
  std::uint32_t block;
  std::uint32_t warp;
  unsigned lane;
  std::uint64_t thread_group;  // own accesses up to this group
  std::uint64_t epoch;         // accesses of the whole block below this group
  std::uint64_t warp_group;    // accesses of the whole warp below this group
  std::shared_ptr<const std::array<std::uint64_t, 32>> lanes;  // of each lane up to this; or null
  bool block_only;
};

struct ReleaseList {
  std::vector<Release> releases;
  Knowledge known;  // to those who released; not of this list
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> of_block;
};

namespace order {
namespace {

constexpr std::uint64_t remembered_groups = std::uint64_t{1} << 22;

struct State {
  GroupOwner* owners = nullptr;
  std::uint64_t next = 1;
  std::unordered_map<std::uintptr_t, std::unique_ptr<ReleaseList>> releases;
};
State state;

void remember(std::uint64_t group, const Block& block, unsigned warp) {
  state.owners[group % remembered_groups] = {group, static_cast<std::uint32_t>(block.linear), warp};
}

// Did a release among these publish the access?
bool published(const Knowledge& knowledge, Record earlier, const GroupOwner& who,
               const Thread& thread) {
  const std::uint64_t group = group_of(earlier);
  for (const Knowledge::Prefix& prefix : knowledge.prefixes) {
    auto found = prefix.list->of_block.find(who.block);
    if (found == prefix.list->of_block.end()) continue;
    for (std::size_t i : found->second) {
      if (i >= prefix.length) break;
      const Release& release = prefix.list->releases[i];
      if (release.block_only && who.block != thread.block->linear) continue;
      if (group < release.epoch) return true;
      if (release.warp != who.warp) continue;
      const unsigned lane = lane_of(earlier);
      if (group < release.warp_group) return true;
      if (release.lane == lane && group <= release.thread_group) return true;
      if (release.lanes != nullptr && group <= (*release.lanes)[lane]) return true;
    }
  }
  return false;
}

void release(ReleaseList& list, const Thread& thread, const Fence& fence, std::uint64_t epoch,
             bool block_only) {
  const auto block = static_cast<std::uint32_t>(thread.block->linear);
  const Warp& warp = *thread.warp;
  list.of_block[block].push_back(list.releases.size());
  list.releases.push_back({block, warp.index, thread.lane, fence.group, epoch,
                           std::max(fence.warp_group, warp.fence_group[block_only]), fence.lanes,
                           block_only});
}

void give_groups(Block& block) {
  const std::uint64_t first = new_groups(block, 0, static_cast<unsigned>(block.warps.size()));
  block.epoch_group = first;
  for (Warp& warp : block.warps) {
    warp.synced_group = warp.shuffled_group = first + warp.index;
    warp.partial_valid = false;
  }
  for (Thread& thread : block.threads) thread.group = first + thread.linear / 32;
}

}  // namespace

void begin_launch() {
  if (state.owners == nullptr) {
    void* place = mmap(nullptr, remembered_groups * sizeof(GroupOwner), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) std::abort();
    state.owners = static_cast<GroupOwner*>(place);
  }
  state.releases.clear();
}

std::uint64_t next_group() {
  return state.next;
}

std::uint64_t new_groups(const Block& block, unsigned first_warp, unsigned count) {
  const std::uint64_t first = state.next;
  state.next += count;
  for (unsigned i = 0; i < count; ++i) remember(first + i, block, first_warp + i);
  return first;
}

const GroupOwner* owner(std::uint64_t group) {
  const GroupOwner& entry = state.owners[group % remembered_groups];
  return entry.group == group ? &entry : nullptr;
}

bool same_block(Record earlier, const Thread& thread) {
  const GroupOwner* who = owner(group_of(earlier));
  return who != nullptr && who->block == thread.block->linear;
}

bool same_warp(Record earlier, const Thread& thread) {
  const GroupOwner* who = owner(group_of(earlier));
  return who != nullptr && who->block == thread.block->linear && who->warp == thread.warp->index;
}

Verdict before(Record earlier, const Thread& thread) {
  if (earlier < hot.launch_first) return Verdict::ordered;
  const std::uint64_t group = group_of(earlier);
  const Block& block = *thread.block;
  const GroupOwner* who = owner(group);
  // So long ago that nobody knows whose it was: no report without a reason.
  if (who == nullptr) return Verdict::ordered;
  Verdict verdict = Verdict::unordered;
  if (who->block == block.linear) {
    if (group < block.epoch_group) return Verdict::ordered;
    const Warp& warp = *thread.warp;
    if (who->warp == warp.index) {
      const unsigned lane = lane_of(earlier);
      if (lane == thread.lane || group < warp.synced_group) return Verdict::ordered;
      if (warp.partial_valid && group <= warp.partial->known[0][thread.lane][lane]) {
        return Verdict::ordered;
      }
      if (group < warp.shuffled_group ||
          (warp.partial_valid && group <= warp.partial->known[1][thread.lane][lane])) {
        verdict = Verdict::ordered_by_shuffle;
      }
    }
  }
  if (published(thread.acquired, earlier, *who, thread) ||
      published(block.acquired, earlier, *who, thread)) {
    return Verdict::ordered;
  }
  if (published(thread.heard, earlier, *who, thread)) return Verdict::ordered_by_shuffle;
  return verdict;
}

void warp_meets(Warp& warp, std::uint32_t lanes, bool memory) {
  Block& block = *warp.block;
  const std::uint64_t group = new_groups(block, warp.index, 1);
  Thread* first = &block.threads[warp.index * 32];
  if (lanes == warp.lanes) {
    warp.shuffled_group = group;
    if (memory) {
      warp.synced_group = group;
      for (const int scope : {0, 1}) {
        if (std::exchange(warp.fenced[scope], false)) warp.fence_group[scope] = group;
      }
    }
  } else {
    if (warp.partial == nullptr) warp.partial = new Warp::Partial;
    if (!warp.partial_valid) {
      warp.partial_valid = true;
      for (auto& table : warp.partial->known) {
        for (auto& row : table) std::fill_n(row, 32, 0);
      }
    }
    for (int table = memory ? 0 : 1; table < 2; ++table) {
      auto& known = warp.partial->known[table];
      std::uint64_t joined[32] = {};
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        for (unsigned j = 0; j < 32; ++j) joined[j] = std::max(joined[j], known[lane][j]);
        joined[lane] = std::max(joined[lane], first[lane].group);
      }
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        std::copy_n(joined, 32, known[std::countr_zero(left)]);
      }
    }
  }
  Knowledge acquired, heard;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    Thread& thread = first[std::countr_zero(left)];
    thread.group = group;
    if (!thread.acquired.empty()) (memory ? acquired : heard).learn(thread.acquired);
    if (!thread.heard.empty()) heard.learn(thread.heard);
  }
  if (acquired.empty() && heard.empty()) return;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    Thread& thread = first[std::countr_zero(left)];
    if (!acquired.empty()) thread.acquired.learn(acquired);
    if (!heard.empty()) thread.heard.learn(heard);
  }
}

void block_meets(Block& block) {
  give_groups(block);
  if (block.fenced) {
    block.fence_epoch = block.epoch_group;
    block.fenced = false;
  }
  if (!block.threads_acquired) return;
  block.threads_acquired = false;
  for (Thread& thread : block.threads) {
    if (thread.acquired.empty()) continue;
    block.acquired.learn(thread.acquired);
    thread.acquired.clear();
    thread.heard.clear();
  }
}

void grid_meets() {
  hot.launch_first = group_record(state.next);
}

void fence(Thread& thread, bool block_only) {
  Warp& warp = *thread.warp;
  Fence& fence = block_only ? thread.block_fence : thread.fence;
  fence = {thread.group, thread.block->epoch_group, warp.synced_group, nullptr};
  if (warp.partial_valid) {
    auto lanes = std::make_shared<std::array<std::uint64_t, 32>>();
    std::copy_n(warp.partial->known[0][thread.lane], 32, lanes->begin());
    fence.lanes = std::move(lanes);
  }
  warp.fenced[block_only] = true;
  if (!block_only) thread.block->fenced = true;
  // What the thread does from now on is after the fence.
  thread.group = new_groups(*thread.block, thread.warp->index, 1);
  hot.me = group_record(thread.group) | (Record{thread.lane} << pc_bits);
}

void publish(Thread& thread, std::uintptr_t address) {
  const Warp& warp = *thread.warp;
  const std::uint64_t epoch = std::max(thread.fence.epoch, thread.block->fence_epoch);
  const bool fenced = epoch != 0 || warp.fence_group[0] != 0;
  const bool fenced_in_block =
      thread.block_fence.group > thread.fence.group || warp.fence_group[1] > warp.fence_group[0];
  if (!fenced && !fenced_in_block) return;  // no fence yet
  std::unique_ptr<ReleaseList>& list = state.releases[address];
  if (list == nullptr) list = std::make_unique<ReleaseList>();
  if (fenced) release(*list, thread, thread.fence, epoch, false);
  if (fenced_in_block) {
    release(*list, thread, thread.block_fence, thread.block_fence.epoch, true);
  }
  for (const Knowledge* known : {&thread.acquired, &thread.block->acquired}) {
    if (known->empty()) continue;
    list->known.learn(*known);
    list->known.forget(list.get());  // which is a prefix of the list already
  }
}

void learn(Thread& thread, std::uintptr_t address) {
  if (state.releases.empty()) return;
  auto found = state.releases.find(address);
  if (found == state.releases.end()) return;
  const ReleaseList& list = *found->second;
  if (thread.acquired.length_of(&list) == list.releases.size()) return;
  thread.acquired.learn(&list, list.releases.size());
  thread.acquired.learn(list.known);
  thread.block->threads_acquired = true;
}

}  // namespace order
}  // namespace simt

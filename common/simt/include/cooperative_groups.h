// CUDA's cooperative groups: the block, tiles of a warp, coalesced threads and the grid.
//
// Members that wait are not inlined, so that a report finds the learner's line above them.
#pragma once

#include <cuda_fp16.h>  // as the vendor's does since it rests on libcu++
#include <cuda_runtime.h>

#include "simt/shuffled.h"
// From here on:
#include <simt/device_begin.h>

namespace simt::detail {
void grid_barrier() noexcept;
int grid_is_cooperative() noexcept;
unsigned rank_in_block() noexcept;
}  // namespace simt::detail

namespace cooperative_groups {

#define SIMT_GROUP_CALL __attribute__((noinline))

namespace details {
inline unsigned lane() {
  return simt::detail::rank_in_block() % 32;
}
// The rank of a lane among those of a mask.
inline unsigned rank_in(unsigned mask, unsigned lane) {
  return static_cast<unsigned>(__builtin_popcount(mask & ((1u << lane) - 1)));
}
// The lane with that rank.
inline unsigned lane_at(unsigned mask, unsigned rank) {
  for (; rank > 0 && mask != 0; --rank) mask &= mask - 1;
  return mask == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(mask));
}
// Shuffles values of up to 32 bytes.
template <class T, class Shuffle>
inline T shuffled(const T& value, Shuffle shuffle) {
  static_assert(sizeof(T) <= 32, "cooperative groups shuffle values of at most 32 bytes");
  return simt::detail::shuffled(value, shuffle);
}
}  // namespace details

class thread_block {
 public:
  SIMT_GROUP_CALL void sync(int line = __builtin_LINE()) const {
    ::simt::barrier(0x40000000 + line, line);
  }
  SIMT_GROUP_CALL static void sync_all(int line = __builtin_LINE()) {
    ::simt::barrier(0x40000000 + line, line);
  }
  unsigned thread_rank() const { return simt::detail::rank_in_block(); }
  unsigned size() const { return num_threads(); }
  unsigned num_threads() const {
    const dim3 d = blockDim;
    return d.x * d.y * d.z;
  }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
  dim3 dim_threads() const { return blockDim; }
};

inline thread_block this_thread_block() {
  return {};
}

class grid_group {
 public:
  SIMT_GROUP_CALL void sync() const { ::simt::detail::grid_barrier(); }
  bool is_valid() const { return simt::detail::grid_is_cooperative() != 0; }
  unsigned long long thread_rank() const {
    return block_rank() * thread_block().size() + simt::detail::rank_in_block();
  }
  unsigned long long size() const { return num_threads(); }
  unsigned long long num_threads() const { return num_blocks() * thread_block().size(); }
  unsigned long long num_blocks() const {
    const dim3 g = gridDim;
    return static_cast<unsigned long long>(g.x) * g.y * g.z;
  }
  unsigned long long block_rank() const {
    const dim3 g = gridDim;
    const uint3 b = blockIdx;
    return (static_cast<unsigned long long>(b.z) * g.y + b.y) * g.x + b.x;
  }
  dim3 group_dim() const { return gridDim; }
  dim3 dim_blocks() const { return gridDim; }
  dim3 block_index() const { return blockIdx; }
};

inline grid_group this_grid() {
  return {};
}

// ---- Tiles of 1 to 32 lanes ----

template <unsigned Size, class Parent = void>
class thread_block_tile {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles have 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile() = default;
  // A tile whose parent's kind no longer counts.
  template <class Other>
  requires(__is_same(Parent, void) && !__is_same(Other, void))
      thread_block_tile(const thread_block_tile<Size, Other>&) {}

  static constexpr unsigned size() { return Size; }
  static constexpr unsigned num_threads() { return Size; }
  unsigned thread_rank() const { return simt::detail::rank_in_block() % Size; }
  unsigned meta_group_rank() const { return simt::detail::rank_in_block() / Size; }
  unsigned meta_group_size() const { return (thread_block().size() + Size - 1) / Size; }

  SIMT_GROUP_CALL void sync() const { __syncwarp(mask()); }
  template <class T>
  SIMT_GROUP_CALL T shfl(T value, int source) const {
    return details::shuffled(
        value, [&](unsigned word) { return __shfl_sync(mask(), word, source, Size); });
  }
  template <class T>
  SIMT_GROUP_CALL T shfl_up(T value, unsigned delta) const {
    return details::shuffled(
        value, [&](unsigned word) { return __shfl_up_sync(mask(), word, delta, Size); });
  }
  template <class T>
  SIMT_GROUP_CALL T shfl_down(T value, unsigned delta) const {
    return details::shuffled(
        value, [&](unsigned word) { return __shfl_down_sync(mask(), word, delta, Size); });
  }
  template <class T>
  SIMT_GROUP_CALL T shfl_xor(T value, unsigned lane_mask) const {
    return details::shuffled(value, [&](unsigned word) {
      return __shfl_xor_sync(mask(), word, static_cast<int>(lane_mask), Size);
    });
  }
  SIMT_GROUP_CALL int any(int predicate) const { return __any_sync(mask(), predicate); }
  SIMT_GROUP_CALL int all(int predicate) const { return __all_sync(mask(), predicate); }
  SIMT_GROUP_CALL unsigned ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> shift();
  }
  template <class T>
  SIMT_GROUP_CALL unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> shift();
  }
  template <class T>
  SIMT_GROUP_CALL unsigned match_all(T value, int& all) const {
    return __match_all_sync(mask(), value, &all) >> shift();
  }

  // The lanes with these ranks.
  unsigned simt_lanes(unsigned ranks) const { return ranks << shift(); }

 private:
  static unsigned shift() { return details::lane() / Size * Size; }
  static unsigned mask() { return (Size == 32 ? ~0u : (1u << Size % 32) - 1) << shift(); }
};

template <unsigned Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}
template <unsigned Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {};
}

// ---- Lanes named by a mask ----

class coalesced_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return details::rank_in(mask_, details::lane()); }
  unsigned meta_group_rank() const { return meta_rank_; }
  unsigned meta_group_size() const { return meta_size_; }

  SIMT_GROUP_CALL void sync() const { __syncwarp(mask_); }
  template <class T>
  SIMT_GROUP_CALL T shfl(T value, unsigned source) const {
    const int lane = static_cast<int>(details::lane_at(mask_, source % size()));
    return details::shuffled(value, [&](unsigned word) { return __shfl_sync(mask_, word, lane); });
  }
  template <class T>
  SIMT_GROUP_CALL T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    const T other = shfl(value, rank < delta ? rank : rank - delta);
    return rank < delta ? value : other;
  }
  template <class T>
  SIMT_GROUP_CALL T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    const T other = shfl(value, rank + delta >= size() ? rank : rank + delta);
    return rank + delta >= size() ? value : other;
  }
  SIMT_GROUP_CALL int any(int predicate) const { return __any_sync(mask_, predicate); }
  SIMT_GROUP_CALL int all(int predicate) const { return __all_sync(mask_, predicate); }
  SIMT_GROUP_CALL unsigned ballot(int predicate) const {
    return packed(__ballot_sync(mask_, predicate));
  }
  template <class T>
  SIMT_GROUP_CALL unsigned match_any(T value) const {
    return packed(__match_any_sync(mask_, value));
  }
  template <class T>
  SIMT_GROUP_CALL unsigned match_all(T value, int& all) const {
    return packed(__match_all_sync(mask_, value, &all));
  }
  // The lanes with these ranks.
  unsigned simt_lanes(unsigned ranks) const {
    unsigned lanes = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ranks >>= 1) {
      if ((ranks & 1) != 0) lanes |= left & (0u - left);
    }
    return lanes;
  }

 private:
  // Bits of lanes to bits of ranks.
  unsigned packed(unsigned lanes) const {
    unsigned ranks = 0;
    unsigned rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank) {
      if ((lanes & left & (0u - left)) != 0) ranks |= 1u << rank;
    }
    return ranks;
  }
  unsigned mask_;
  unsigned meta_rank_;
  unsigned meta_size_;
};

SIMT_GROUP_CALL inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

// ---- Partitions ----

template <class Parent>
SIMT_GROUP_CALL inline coalesced_group binary_partition(const Parent& parent, bool predicate) {
  const unsigned all = parent.size() == 32 ? ~0u : (1u << parent.size()) - 1;
  const unsigned yes = parent.ballot(predicate);
  if (yes == 0 || yes == all) return coalesced_group(parent.simt_lanes(all));
  return coalesced_group(parent.simt_lanes(predicate ? yes : all & ~yes), predicate ? 1 : 0, 2);
}

template <class Parent, class Label>
SIMT_GROUP_CALL inline coalesced_group labeled_partition(const Parent& parent, Label label) {
  const unsigned same = parent.match_any(label);
  // Each group is counted at its first member.
  const bool first = (same & ((1u << parent.thread_rank()) - 1)) == 0;
  const unsigned firsts = parent.ballot(first);
  const unsigned before = firsts & ((same & (0u - same)) - 1);
  return coalesced_group(parent.simt_lanes(same), static_cast<unsigned>(__builtin_popcount(before)),
                         static_cast<unsigned>(__builtin_popcount(firsts)));
}

inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  const unsigned ranks = (size >= 32 ? ~0u : (1u << size) - 1) << first;
  return coalesced_group(parent.simt_lanes(ranks), parent.thread_rank() / size,
                         (parent.size() + size - 1) / size);
}
template <unsigned Size>
inline coalesced_group tiled_partition(const coalesced_group& parent) {
  return tiled_partition(parent, Size);
}

// ---- A group whose kind is known at run time ----

class thread_group {
 public:
  thread_group(const thread_block&) : mask_(0) {}
  thread_group(const coalesced_group& group) : mask_(group.simt_lanes(~0u)) {}
  template <unsigned Size, class Parent>
  thread_group(const thread_block_tile<Size, Parent>& tile)
      : mask_(tile.simt_lanes(Size == 32 ? ~0u : (1u << Size % 32) - 1)) {}

  SIMT_GROUP_CALL void sync(int line = __builtin_LINE()) const {
    if (is_block()) {
      ::simt::barrier(0x40000000 + line, line);
    } else {
      __syncwarp(mask_);
    }
  }
  unsigned size() const {
    return is_block() ? thread_block().size() : static_cast<unsigned>(__builtin_popcount(mask_));
  }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return is_block() ? thread_block().thread_rank() : details::rank_in(mask_, details::lane());
  }
  bool is_valid() const { return true; }
  bool simt_is_block() const { return is_block(); }
  unsigned simt_mask() const { return mask_; }

 private:
  bool is_block() const { return mask_ == 0; }
  unsigned mask_;  // of a warp's lanes; 0: the block
};

// Tiles of a power of two of threads, at most 32.
inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (!parent.simt_is_block()) {
    return tiled_partition(coalesced_group(parent.simt_mask()), size);
  }
  const unsigned first = details::lane() / size * size;
  return coalesced_group((size >= 32 ? ~0u : (1u << size) - 1) << first);
}

// ---- Collective operations ----

template <class T>
struct plus {
  T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

// Each thread of the group gets op over the values of all. In the order of ranks, so that all get
// the same also where op rounds.
template <class Group, class T, class Op>
SIMT_GROUP_CALL inline T reduce(const Group& group, T value, Op op) {
  T result = group.shfl(value, 0);
  for (unsigned rank = 1; rank < group.size(); ++rank) {
    result = op(result, group.shfl(value, static_cast<int>(rank)));
  }
  return result;
}
// In tiles, pairs in both directions at once: op commutes.
template <unsigned Size, class Parent, class T, class Op>
SIMT_GROUP_CALL inline T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
    value = op(value, tile.shfl_xor(value, distance));
  }
  return value;
}

template <class Group, class T, class Op>
SIMT_GROUP_CALL inline T inclusive_scan(const Group& group, T value, Op op) {
  T result = value;
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_up(result, distance);
    if (group.thread_rank() >= distance) result = op(other, result);
  }
  return result;
}
template <class Group, class T>
inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Op>
SIMT_GROUP_CALL inline T exclusive_scan(const Group& group, T value, Op op) {
  const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

// One thread of the group calls fn. Which one is not said; nobody waits.
template <class Group, class Function, class... Arguments>
inline void invoke_one(const Group& group, Function&& fn, Arguments&&... arguments) {
  if (group.thread_rank() == 0) {
    static_cast<Function&&>(fn)(static_cast<Arguments&&>(arguments)...);
  }
}
// ... and all get what it returns.
template <class Group, class Function, class... Arguments>
inline auto invoke_one_broadcast(const Group& group, Function&& fn, Arguments&&... arguments) {
  auto call = [&] { return static_cast<Function&&>(fn)(static_cast<Arguments&&>(arguments)...); };
  using Result = decltype(call());
  static_assert(!__is_same(Result, void), "what returns nothing is for invoke_one");
  Result result{};
  if (group.thread_rank() == 0) result = call();
  return group.shfl(result, 0);
}

template <class Group>
SIMT_GROUP_CALL inline void sync(const Group& group) {
  group.sync();
}
SIMT_GROUP_CALL inline void sync(const thread_block& block, int line = __builtin_LINE()) {
  block.sync(line);
}
template <class Group>
inline auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
inline auto group_size(const Group& group) {
  return group.size();
}

#undef SIMT_GROUP_CALL

}  // namespace cooperative_groups

#include <simt/device_end.h>

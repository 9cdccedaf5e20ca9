// CUDA's cooperative groups: the block, tiles of a warp, coalesced threads and the grid.
//
// Members that wait are not inlined, so that a report finds the learner's line above them.
#pragma once

#include "cuda_runtime.h"

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
// Shuffles values of up to 32 bytes word by word.
template <class T, class Shuffle>
inline T shuffled(const T& value, Shuffle shuffle) {
  static_assert(sizeof(T) <= 32, "cooperative groups shuffle values of at most 32 bytes");
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
  for (unsigned& word : bits) word = shuffle(word);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), bits, sizeof(T));
  return result;
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
  explicit coalesced_group(unsigned mask) : mask_(mask) {}
  unsigned size() const { return static_cast<unsigned>(__builtin_popcount(mask_)); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return details::rank_in(mask_, details::lane()); }
  unsigned meta_group_rank() const { return 0; }
  unsigned meta_group_size() const { return 1; }

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
};

SIMT_GROUP_CALL inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

template <class Parent>
SIMT_GROUP_CALL inline coalesced_group binary_partition(const Parent& parent, bool predicate) {
  const unsigned lane = details::lane();
  const unsigned yes = parent.ballot(predicate);
  unsigned lanes = 0;
  for (unsigned rank = 0; rank < parent.size(); ++rank) {
    const unsigned bit = 1u << parent.shfl(lane, rank);
    if (((yes >> rank & 1) != 0) == predicate) lanes |= bit;
  }
  return coalesced_group(lanes);
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

template <class Group>
inline void sync(const Group& group) {
  group.sync();
}

#undef SIMT_GROUP_CALL

}  // namespace cooperative_groups

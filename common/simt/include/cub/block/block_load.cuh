// CUB's loads of a block's items.
#pragma once

#include <simt/block_exchange.h>
// From here on:
#include <simt/device_begin.h>

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

// The transposing algorithms exchange items through shared memory: a barrier must lie between two
// uses of one TempStorage.
template <typename T, int BLOCK_DIM_X, int ITEMS_PER_THREAD,
          BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockLoad {
  static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr bool by_block = ALGORITHM == BLOCK_LOAD_TRANSPOSE;
  static constexpr bool by_warp =
      ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE || ALGORITHM == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED;
  static_assert(!by_warp || threads % 32 == 0,
                "the warp-transposing algorithms need blocks of whole warps");
  using Line = simt::collective::CallLine;

 public:
  struct TempStorage
      : simt::collective::ExchangeStorage<T, threads * ITEMS_PER_THREAD, by_block || by_warp> {};

  SIMT_COLLECTIVE explicit BlockLoad(TempStorage& storage) : storage_(storage) {}

  template <typename InputIterator>
  SIMT_COLLECTIVE void Load(InputIterator from, T (&items)[ITEMS_PER_THREAD],
                            Line line = {__builtin_LINE()}) {
    if constexpr (ALGORITHM == BLOCK_LOAD_VECTORIZE &&
                  simt::collective::IsPointer<InputIterator>::value) {
      simt::collective::load_vectors(from + simt::collective::thread() * ITEMS_PER_THREAD, items);
    } else {
      Load(from, items, threads * ITEMS_PER_THREAD, line);
    }
  }
  // Items from `valid_items` on are left as they were.
  template <typename InputIterator>
  SIMT_COLLECTIVE void Load(InputIterator from, T (&items)[ITEMS_PER_THREAD], int valid_items,
                            Line line = {__builtin_LINE()}) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) {
      if (place(i) < valid_items) items[i] = from[place(i)];
    }
    exchange(items, line);
  }
  template <typename InputIterator, typename Default>
  SIMT_COLLECTIVE void Load(InputIterator from, T (&items)[ITEMS_PER_THREAD], int valid_items,
                            Default other, Line line = {__builtin_LINE()}) {
    for (int i = 0; i < ITEMS_PER_THREAD; ++i) items[i] = static_cast<T>(other);
    Load(from, items, valid_items, line);
  }

 private:
  // Which of the block's items the thread loads as its i-th.
  SIMT_COLLECTIVE static int place(int i) {
    return simt::collective::place_in_memory < ITEMS_PER_THREAD, threads,
           by_block || ALGORITHM == BLOCK_LOAD_STRIPED, by_warp > (i);
  }

  SIMT_COLLECTIVE void exchange([[maybe_unused]] T (&items)[ITEMS_PER_THREAD],
                                [[maybe_unused]] Line line) {
    [[maybe_unused]] const int thread = simt::collective::thread();
    if constexpr (by_block) {
      simt::collective::striped_to_blocked<threads>(
          storage_.items, thread, 0,
          items, [=]() __attribute__((always_inline)) { simt::collective::barrier(line); });
    } else if constexpr (by_warp) {
      simt::collective::striped_to_blocked<32>(
          storage_.items, thread % 32, thread / 32 * 32 * ITEMS_PER_THREAD, items,
          []() __attribute__((always_inline)) { __syncwarp(); });
    }
  }

  TempStorage& storage_;
};

}  // namespace cub

#include <simt/device_end.h>

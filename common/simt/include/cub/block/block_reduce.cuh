// CUB's reduction within a block.
#pragma once

#include <simt/collective.h>
// From here on:
#include <simt/device_begin.h>

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
};

// Whatever the algorithm, each warp reduces by shuffles and thread 0 adds up what they left in
// shared memory. As in CUB, a barrier must lie between two uses of one TempStorage.
template <typename T, int BLOCK_DIM_X, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockReduce {
  static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr int warps = (threads + 31) / 32;
  using Warp = simt::collective::LogicalWarp<32>;
  using Line = simt::collective::CallLine;
  using Plus = cuda::std::plus<>;

 public:
  struct TempStorage {
    simt::collective::Uninitialised<T, warps> warp_results;
  };

  SIMT_COLLECTIVE explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  // Thread 0 gets the result.
  template <typename Op>
  SIMT_COLLECTIVE T Reduce(T input, Op op, int num_valid, Line line = {__builtin_LINE()}) {
    const int thread = simt::collective::thread();
    const int first = thread / 32 * 32;
    T result = Warp::reduce(input, op, num_valid - first);
    if (thread == first) storage_.warp_results[thread / 32] = result;
    simt::collective::barrier(line);
    if (thread == 0) {
      for (int warp = 1; warp < warps && warp * 32 < num_valid; ++warp) {
        result = op(result, storage_.warp_results[warp]);
      }
    }
    return result;
  }
  template <typename Op>
  SIMT_COLLECTIVE T Reduce(T input, Op op, Line line = {__builtin_LINE()}) {
    return Reduce(input, op, threads, line);
  }
  template <int ITEMS_PER_THREAD, typename Op>
  SIMT_COLLECTIVE T Reduce(T (&inputs)[ITEMS_PER_THREAD], Op op, Line line = {__builtin_LINE()}) {
    return Reduce(simt::collective::reduce_items(inputs, op), op, threads, line);
  }
  SIMT_COLLECTIVE T Sum(T input, Line line = {__builtin_LINE()}) {
    return Reduce(input, Plus(), threads, line);
  }
  SIMT_COLLECTIVE T Sum(T input, int num_valid, Line line = {__builtin_LINE()}) {
    return Reduce(input, Plus(), num_valid, line);
  }
  template <int ITEMS_PER_THREAD>
  SIMT_COLLECTIVE T Sum(T (&inputs)[ITEMS_PER_THREAD], Line line = {__builtin_LINE()}) {
    return Reduce(inputs, Plus(), line);
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub

#include <simt/device_end.h>

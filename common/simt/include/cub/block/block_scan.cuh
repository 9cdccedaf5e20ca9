// CUB's prefix sums within a block.
#pragma once

#include <simt/collective.h>
// From here on:
#include <simt/device_begin.h>

namespace cub {

enum BlockScanAlgorithm {
  BLOCK_SCAN_RAKING,
  BLOCK_SCAN_RAKING_MEMOIZE,
  BLOCK_SCAN_WARP_SCANS,
};

// Whatever the algorithm, each warp scans by shuffles and leaves its total in shared memory. As in
// CUB, a barrier must lie between two uses of one TempStorage.
template <typename T, int BLOCK_DIM_X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int BLOCK_DIM_Y = 1,
          int BLOCK_DIM_Z = 1>
class BlockScan {
  static constexpr int threads = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
  static constexpr int warps = (threads + 31) / 32;
  using Warp = simt::collective::LogicalWarp<32>;
  using Line = simt::collective::CallLine;
  using Plus = cuda::std::plus<>;

 public:
  struct TempStorage {
    simt::collective::Uninitialised<T, warps> warp_totals;
    simt::collective::Uninitialised<T, 1> block_prefix;
  };

  SIMT_COLLECTIVE explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  // ---- One item a thread ----
  template <typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T input, T& output, Op op, Line line = {__builtin_LINE()}) {
    output = scan(input, op, line).inclusive;
  }
  template <typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T input, T& output, Op op, T& block_aggregate,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(input, op, line);
    output = scanned.inclusive;
    block_aggregate = scanned.total;
  }
  template <typename Op, typename Callback>
  SIMT_COLLECTIVE void InclusiveScan(T input, T& output, Op op, Callback& prefix,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(input, op, line);
    output = op(prefix_of(prefix, scanned.total, line), scanned.inclusive);
  }
  // Without an initial value thread 0 gets nothing of use.
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& output, Op op, Line line = {__builtin_LINE()}) {
    output = scan(input, op, line).exclusive;
  }
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& output, Op op, T& block_aggregate,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(input, op, line);
    output = scanned.exclusive;
    block_aggregate = scanned.total;
  }
  template <typename Op, typename Callback>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& output, Op op, Callback& prefix,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(input, op, line);
    output = after(prefix_of(prefix, scanned.total, line), scanned, op);
  }
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& output, T initial, Op op,
                                     Line line = {__builtin_LINE()}) {
    output = after(initial, scan(input, op, line), op);
  }
  // The aggregate is that of the inputs, without the initial value.
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& output, T initial, Op op, T& block_aggregate,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(input, op, line);
    output = after(initial, scanned, op);
    block_aggregate = scanned.total;
  }

  // ---- Several items a thread ----
  template <int N, typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T (&input)[N], T (&output)[N], Op op,
                                     Line line = {__builtin_LINE()}) {
    T total;
    InclusiveScan(input, output, op, total, line);
  }
  template <int N, typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T& block_aggregate,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(simt::collective::reduce_items(input, op), op, line);
    T running = input[0];
    if (simt::collective::thread() > 0) running = op(scanned.exclusive, running);
    output[0] = running;
    for (int i = 1; i < N; ++i) output[i] = running = op(running, input[i]);
    block_aggregate = scanned.total;
  }
  template <int N, typename Op, typename Callback>
  SIMT_COLLECTIVE void InclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& prefix,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(simt::collective::reduce_items(input, op), op, line);
    T running = after(prefix_of(prefix, scanned.total, line), scanned, op);
    for (int i = 0; i < N; ++i) output[i] = running = op(running, input[i]);
  }
  template <int N, typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op,
                                     Line line = {__builtin_LINE()}) {
    T total;
    ExclusiveScan(input, output, initial, op, total, line);
  }
  template <int N, typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op,
                                     T& block_aggregate, Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(simt::collective::reduce_items(input, op), op, line);
    exclusive_items(input, output, after(initial, scanned, op), op);
    block_aggregate = scanned.total;
  }
  template <int N, typename Op, typename Callback>
  SIMT_COLLECTIVE void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, Callback& prefix,
                                     Line line = {__builtin_LINE()}) {
    const Scanned scanned = scan(simt::collective::reduce_items(input, op), op, line);
    exclusive_items(input, output, after(prefix_of(prefix, scanned.total, line), scanned, op), op);
  }

  // ---- Sums: the same with plus, and zero as the initial value ----
  SIMT_COLLECTIVE void InclusiveSum(T input, T& output, Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), line);
  }
  SIMT_COLLECTIVE void InclusiveSum(T input, T& output, T& block_aggregate,
                                    Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), block_aggregate, line);
  }
  template <typename Callback>
  SIMT_COLLECTIVE void InclusiveSum(T input, T& output, Callback& prefix,
                                    Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), prefix, line);
  }
  template <int N>
  SIMT_COLLECTIVE void InclusiveSum(T (&input)[N], T (&output)[N], Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), line);
  }
  template <int N>
  SIMT_COLLECTIVE void InclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate,
                                    Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), block_aggregate, line);
  }
  template <int N, typename Callback>
  SIMT_COLLECTIVE void InclusiveSum(T (&input)[N], T (&output)[N], Callback& prefix,
                                    Line line = {__builtin_LINE()}) {
    InclusiveScan(input, output, Plus(), prefix, line);
  }
  SIMT_COLLECTIVE void ExclusiveSum(T input, T& output, Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, T(0), Plus(), line);
  }
  SIMT_COLLECTIVE void ExclusiveSum(T input, T& output, T& block_aggregate,
                                    Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, T(0), Plus(), block_aggregate, line);
  }
  template <typename Callback>
  SIMT_COLLECTIVE void ExclusiveSum(T input, T& output, Callback& prefix,
                                    Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, Plus(), prefix, line);
  }
  template <int N>
  SIMT_COLLECTIVE void ExclusiveSum(T (&input)[N], T (&output)[N], Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, T(0), Plus(), line);
  }
  template <int N>
  SIMT_COLLECTIVE void ExclusiveSum(T (&input)[N], T (&output)[N], T& block_aggregate,
                                    Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, T(0), Plus(), block_aggregate, line);
  }
  template <int N, typename Callback>
  SIMT_COLLECTIVE void ExclusiveSum(T (&input)[N], T (&output)[N], Callback& prefix,
                                    Line line = {__builtin_LINE()}) {
    ExclusiveScan(input, output, Plus(), prefix, line);
  }

 private:
  struct Scanned {
    T inclusive;
    T exclusive;  // of no use in thread 0
    T total;
  };

  template <typename Op>
  SIMT_COLLECTIVE Scanned scan(T input, Op op, Line line) {
    const int thread = simt::collective::thread();
    const int warp = thread / 32;
    const int last_lane = warp == warps - 1 ? (threads - 1) % 32 : 31;
    Scanned result;
    result.inclusive = Warp::scan(input, op);
    result.exclusive = Warp::up(result.inclusive, 1);
    if (thread % 32 == last_lane) storage_.warp_totals[warp] = result.inclusive;
    simt::collective::barrier(line);
    T before = storage_.warp_totals[0];
    result.total = before;
    for (int other = 1; other < warps; ++other) {
      if (other == warp) before = result.total;
      result.total = op(result.total, storage_.warp_totals[other]);
    }
    if (warp > 0) {
      result.exclusive = thread % 32 == 0 ? before : op(before, result.exclusive);
      result.inclusive = op(before, result.inclusive);
    }
    return result;
  }

  template <typename Op>
  SIMT_COLLECTIVE static T after(T initial, const Scanned& scanned, Op op) {
    return simt::collective::thread() == 0 ? initial : op(initial, scanned.exclusive);
  }

  // The first warp asks the callback; what its lane 0 is told counts.
  template <typename Callback>
  SIMT_COLLECTIVE T prefix_of(Callback& callback, T total, Line line) {
    if (simt::collective::thread() < 32) {
      const T prefix = callback(total);
      if (simt::collective::thread() == 0) storage_.block_prefix[0] = prefix;
    }
    simt::collective::barrier(line, 1);
    return storage_.block_prefix[0];
  }

  template <int N, typename Op>
  SIMT_COLLECTIVE static void exclusive_items(T (&input)[N], T (&output)[N], T running, Op op) {
    for (int i = 0; i < N; ++i) {
      const T item = input[i];  // input and output may be one
      output[i] = running;
      running = op(running, item);
    }
  }

  TempStorage& storage_;
};

}  // namespace cub

#include <simt/device_end.h>

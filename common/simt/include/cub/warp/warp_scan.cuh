// CUB's prefix sums within a warp.
#pragma once

#include <simt/collective.h>
// From here on:
#include <simt/device_begin.h>

namespace cub {

template <typename T, int LOGICAL_WARP_THREADS = 32>
class WarpScan {
  using Warp = simt::collective::LogicalWarp<LOGICAL_WARP_THREADS>;
  using Plus = cuda::std::plus<>;

 public:
  struct TempStorage {};  // a warp scans by shuffles

  SIMT_COLLECTIVE explicit WarpScan(TempStorage&) {}

  template <typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T input, T& inclusive, Op op) {
    inclusive = Warp::scan(input, op);
  }
  template <typename Op>
  SIMT_COLLECTIVE void InclusiveScan(T input, T& inclusive, Op op, T& warp_aggregate) {
    inclusive = Warp::scan(input, op);
    warp_aggregate = Warp::from(inclusive, LOGICAL_WARP_THREADS - 1);
  }
  // Without an initial value lane 0 gets nothing of use.
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& exclusive, Op op) {
    exclusive = Warp::up(Warp::scan(input, op), 1);
  }
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& exclusive, T initial, Op op) {
    T inclusive;
    Scan(input, inclusive, exclusive, initial, op);
  }
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& exclusive, Op op, T& warp_aggregate) {
    T inclusive;
    Scan(input, inclusive, exclusive, op);
    warp_aggregate = Warp::from(inclusive, LOGICAL_WARP_THREADS - 1);
  }
  // The aggregate is that of the inputs, without the initial value.
  template <typename Op>
  SIMT_COLLECTIVE void ExclusiveScan(T input, T& exclusive, T initial, Op op, T& warp_aggregate) {
    T inclusive;
    Scan(input, inclusive, exclusive, op);
    warp_aggregate = Warp::from(inclusive, LOGICAL_WARP_THREADS - 1);
    exclusive = Warp::lane() == 0 ? initial : op(initial, exclusive);
  }
  template <typename Op>
  SIMT_COLLECTIVE void Scan(T input, T& inclusive, T& exclusive, Op op) {
    const T scanned = Warp::scan(input, op);
    exclusive = Warp::up(scanned, 1);
    inclusive = scanned;
  }
  template <typename Op>
  SIMT_COLLECTIVE void Scan(T input, T& inclusive, T& exclusive, T initial, Op op) {
    const T scanned = Warp::scan(input, op);
    const T before = Warp::up(scanned, 1);
    exclusive = Warp::lane() == 0 ? initial : op(initial, before);
    inclusive = op(initial, scanned);
  }

  SIMT_COLLECTIVE void InclusiveSum(T input, T& inclusive) {
    InclusiveScan(input, inclusive, Plus());
  }
  SIMT_COLLECTIVE void InclusiveSum(T input, T& inclusive, T& warp_aggregate) {
    InclusiveScan(input, inclusive, Plus(), warp_aggregate);
  }
  SIMT_COLLECTIVE void ExclusiveSum(T input, T& exclusive) {
    ExclusiveScan(input, exclusive, T(0), Plus());
  }
  SIMT_COLLECTIVE void ExclusiveSum(T input, T& exclusive, T& warp_aggregate) {
    ExclusiveScan(input, exclusive, T(0), Plus(), warp_aggregate);
  }

  SIMT_COLLECTIVE T Broadcast(T input, unsigned int source_lane) {
    return Warp::from(input, static_cast<int>(source_lane));
  }
};

}  // namespace cub

#include <simt/device_end.h>

// CUB's reduction within a warp.
#pragma once

#include <simt/collective.h>
// From here on:
#include <simt/device_begin.h>

namespace cub {

template <typename T, int LOGICAL_WARP_THREADS = 32>
class WarpReduce {
  using Warp = simt::collective::LogicalWarp<LOGICAL_WARP_THREADS>;

 public:
  struct TempStorage {};  // a warp reduces by shuffles

  SIMT_COLLECTIVE explicit WarpReduce(TempStorage&) {}

  // Lane 0 gets the result.
  template <typename Op>
  SIMT_COLLECTIVE T Reduce(T input, Op op) {
    return Warp::reduce(input, op);
  }
  template <typename Op>
  SIMT_COLLECTIVE T Reduce(T input, Op op, int valid_items) {
    return Warp::reduce(input, op, valid_items);
  }
  SIMT_COLLECTIVE T Sum(T input) { return Warp::reduce(input, cuda::std::plus<>()); }
  SIMT_COLLECTIVE T Sum(T input, int valid_items) {
    return Warp::reduce(input, cuda::std::plus<>(), valid_items);
  }
};

}  // namespace cub

#include <simt/device_end.h>

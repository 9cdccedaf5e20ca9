// What the layer needs from the other ranks' devices: rows to and fro, small arrays of all.
//
// Every call is collective and goes on `stream`, in its order: arrays may be read and written by
// what is put on the stream afterwards. There is no barrier: a rank goes on when its own pieces
// have come and gone.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parallel/group.h"

namespace parallel {

// `count` floats from element `first` of an array on, to or from a rank. Between two ranks pieces
// meet in their order, as in Group.
struct Piece {
  int rank;
  std::size_t first;
  std::size_t count;
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const char* name() const = 0;

  // All ranks' arrays of `count` ints, by rank, in host memory. Waits for the stream: what is sent
  // next, and how much, hangs on these numbers.
  virtual std::vector<int> all_gather(const int* mine, std::size_t count, cudaStream_t stream) = 0;

  // The all-to-all with uneven counts: `outgoing` are pieces of `from`, `incoming` of `to`. The
  // arrays don't overlap.
  virtual void exchange(const float* from, std::span<const Piece> outgoing, float* to,
                        std::span<const Piece> incoming, cudaStream_t stream) = 0;

  // Every rank's array becomes the sum of all, to the same bits.
  virtual void all_reduce_sum(float* array, std::size_t count, cudaStream_t stream) = 0;
};

// Through host memory and the group's sockets: on every backend, also where ranks share a GPU. Sums
// are added in the ranks' order, so a run repeats to the last bit.
std::unique_ptr<Transport> make_socket_transport(const Group& group);

// From GPU to GPU by NCCL, on the current device. It is an optional part of the build, a module
// in the build's bin.
std::unique_ptr<Transport> make_nccl_transport(const Group& group);
bool has_nccl();

}  // namespace parallel

// One thread for every four neighbouring elements, in a grid that covers the data once.
//
// A warp's access of 16 bytes a lane moves 512 bytes by one instruction, and with 2,048 such
// threads on a multiprocessor enough bytes are under way to hide the memory's latency. A loop over
// a smaller grid would add nothing but its own instructions.
#pragma once

#include "vectors.h"

namespace fast {

constexpr int kFoursThreads = 256;

// body.four(i) for the thread's group of four elements; body.one(i) for what is left: at most three
// elements, or all if `vectors` is false.
template <class Body>
__device__ void four_of_thread(const Body& body, int n, bool vectors) {
  // Below n + 1,024: an int holds it (docs/conventions.md).
  const int first = static_cast<int>(4 * (blockIdx.x * kFoursThreads + threadIdx.x));
  if (vectors && first + 4 <= n) {
    body.four(first);
  } else {
    for (int i = first; i < n && i < first + 4; ++i) body.one(i);
  }
}

inline int blocks_of_fours(int n) {
  return n == 0 ? 0 : (n - 1) / (4 * kFoursThreads) + 1;
}

template <class Body>
__global__ void __launch_bounds__(kFoursThreads)
fours_kernel(Body body, int n, bool vectors) {
  four_of_thread(body, n, vectors);
}

template <class Body>
void in_fours(const Body& body, int n, bool vectors, cudaStream_t stream) {
  if (n == 0) return;
  fours_kernel<<<blocks_of_fours(n), kFoursThreads, 0, stream>>>(body, n, vectors);
}

}  // namespace fast

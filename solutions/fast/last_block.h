// Two phases in one launch: of the blocks that share a result the last one to arrive adds up what
// all of them left.
#pragma once

#include <cuda_runtime.h>

namespace fast {

// To be called by all threads of a block, after they have written their part to global memory.
// Whether the other blocks - 1 have called it before; if so, their parts may be read, and `counter`
// is 0 again for the next launch. One counter serves one stream: a lesson's function never runs on
// two at once.
__device__ inline bool last_to_arrive(unsigned* counter, unsigned blocks) {
  __shared__ bool last;
  __threadfence();  // this thread's part, before the count
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(counter, 1) == blocks - 1;
    if (last) atomicExch(counter, 0);
  }
  __syncthreads();
  if (last) __threadfence();  // the count, before the others' parts
  return last;
}

}  // namespace fast

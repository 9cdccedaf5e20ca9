// Two phases in one launch: of the blocks that share a result the last one to arrive adds up what
// all of them left.
#pragma once

#include <cuda_runtime.h>

namespace fast {

// To be called by all threads of a block, after they have written their part to global memory.
// Whether the other blocks - 1 have called it before; if so, their parts may be read, and `counter`
// is 0 again for the next launch. One counter serves one stream: a lesson's function never runs on
// two at once.
//
// One thread's fences are enough for its block: a fence passes on all writes that the thread knows
// of. The barrier before makes the block's writes known to it, the barrier after passes on to the
// block what it has learned.
__device__ inline bool last_to_arrive(unsigned* counter, unsigned blocks) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // the block's part, before the count
    last = atomicInc(counter, blocks - 1) == blocks - 1;
    __threadfence();  // the count, before the others' parts
  }
  __syncthreads();
  return last;
}

}  // namespace fast

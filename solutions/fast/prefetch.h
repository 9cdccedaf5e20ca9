// Asking for data before anybody waits for it.
#pragma once

#include <cuda_runtime.h>

namespace fast {

constexpr int kLineBytes = 128;  // of the L2 cache

// Brings the line of global memory that holds this address into the L2 cache. CUDA C++ has no word
// for it, so it is written in PTX. Only a GPU's compiler defines __CUDA_ARCH__: the CPU runtime,
// which has no caches, does nothing here.
__device__ inline void prefetch_line([[maybe_unused]] const void* address) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(address)));
#endif
}

}  // namespace fast

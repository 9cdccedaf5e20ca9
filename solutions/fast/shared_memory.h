// Blocks with more than 48 kB of shared memory, which a kernel must ask for.
#pragma once

#include <cuda_runtime.h>

namespace fast {

// Whether a block of this kernel gets `bytes` of dynamic shared memory beside what it declares, up
// to 1 kB.
template <class Kernel>
bool gets_shared_memory(Kernel kernel, int bytes) {
  if (bytes <= 48 * 1024 - 1024) return true;
  const auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  if (cudaFuncSetAttribute(kernel, attribute, bytes) == cudaSuccess) return true;
  cudaGetLastError();  // a GPU with less of it: no error of the caller's
  return false;
}

}  // namespace fast

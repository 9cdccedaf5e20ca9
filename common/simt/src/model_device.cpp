#include "model_device.h"

#include <algorithm>
#include <cstring>

namespace simt {

const cudaDeviceProp& model_device() {
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp p{};
    std::strcpy(p.name, "SIMT model GPU (runs on the CPU)");
    p.totalGlobalMem = size_t{16} << 30;
    p.sharedMemPerBlock = 48 << 10;
    p.regsPerBlock = 65536;
    p.warpSize = 32;
    p.memPitch = 0x7fffffff;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = 1024;
    p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = 65535;
    p.maxGridSize[2] = 65535;
    p.clockRate = 1000000;
    p.totalConstMem = 64 << 10;
    p.major = 9;
    p.minor = 0;
    p.textureAlignment = 512;
    p.deviceOverlap = 1;
    p.multiProcessorCount = 16;
    p.canMapHostMemory = 1;
    p.concurrentKernels = 1;
    p.asyncEngineCount = 1;
    p.unifiedAddressing = 1;
    p.memoryClockRate = 1000000;
    p.memoryBusWidth = 256;
    p.l2CacheSize = 4 << 20;
    p.maxThreadsPerMultiProcessor = 2048;
    p.streamPrioritiesSupported = 1;
    p.globalL1CacheSupported = 1;
    p.localL1CacheSupported = 1;
    p.sharedMemPerMultiprocessor = 228 << 10;
    p.regsPerMultiprocessor = 65536;
    p.managedMemory = 1;
    p.concurrentManagedAccess = 1;
    p.cooperativeLaunch = 1;
    p.sharedMemPerBlockOptin = 227 << 10;
    p.maxBlocksPerMultiProcessor = 32;
    p.reservedSharedMemPerBlock = 1 << 10;
    p.memoryPoolsSupported = 1;
    return p;
  }();
  return properties;
}

int resident_blocks_per_multiprocessor(int threads_per_block, size_t shared_bytes) {
  const cudaDeviceProp& p = model_device();
  if (threads_per_block < 1 || threads_per_block > p.maxThreadsPerBlock) return 0;
  const int warps = (threads_per_block + p.warpSize - 1) / p.warpSize;
  const int by_threads = p.maxThreadsPerMultiProcessor / (warps * p.warpSize);
  const size_t each = shared_bytes + p.reservedSharedMemPerBlock;
  const int by_shared = static_cast<int>(p.sharedMemPerMultiprocessor / each);
  return std::min({by_threads, by_shared, p.maxBlocksPerMultiProcessor});
}

}  // namespace simt

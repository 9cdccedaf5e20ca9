// Launches by address, attributes of kernels, occupancy.
#include <cuda_runtime.h>

#include <algorithm>

#include "api_state.h"
#include "kernels.h"
#include "launch_settings.h"
#include "model_device.h"
#include "shared_memory.h"

namespace api = simt::api;
namespace kernels = simt::kernels;

namespace {

cudaError_t launch(simt::KernelReference function, dim3 grid, dim3 block, void** arguments,
                   size_t shared_bytes, cudaStream_t stream, bool cooperative, std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  const kernels::Kernel* kernel = kernels::find(function.address);
  void (*invoke)(void*) = kernel == nullptr ? nullptr : kernel->invoke;
  if (invoke == nullptr) invoke = function.invoke;
  if (invoke == nullptr) return api::record(cudaErrorInvalidDeviceFunction);
  simt::detail::PointerCall closure{function.address, arguments};
  simt::Launch launched;
  const bool named = kernel != nullptr && !kernel->name.empty();
  launched.site = {named ? kernel->name.c_str() : "kernel", "", 0, function.address};
  launched.config = {grid, block, shared_bytes, stream};
  launched.invoke = invoke;
  launched.closure = &closure;
  launched.closure_bytes = sizeof closure;
  launched.by_address = true;
  launched.cooperative = cooperative;
  launched.call_site = pc;
  return simt::start_launch(launched);
}

size_t dynamic_limit(const void* function) {
  const kernels::Kernel* kernel = kernels::find(function);
  const size_t set = kernel == nullptr ? 0 : kernel->dynamic_shared_limit;
  return std::max(simt::model_device().sharedMemPerBlock, set) -
         simt::shared_memory::static_bytes(function);
}

int thread_limit(const void* function) {
  const kernels::Kernel* kernel = kernels::find(function);
  return kernel != nullptr && kernel->launch_bound > 0 ? kernel->launch_bound
                                                       : simt::model_device().maxThreadsPerBlock;
}

}  // namespace

cudaError_t cudaLaunchKernel(simt::KernelReference function, dim3 grid, dim3 block,
                             void** arguments, size_t shared_bytes, cudaStream_t stream) {
  return launch(function, grid, block, arguments, shared_bytes, stream, false, SIMT_API_CALLER);
}

cudaError_t cudaLaunchCooperativeKernel(simt::KernelReference function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return launch(function, grid, block, arguments, shared_bytes, stream, true, SIMT_API_CALLER);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, simt::KernelReference function) {
  if (const cudaError_t error = api::begin()) return error;
  if (attributes == nullptr) return api::record(cudaErrorInvalidValue);
  if (function.address == nullptr) return api::record(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  attributes->sharedSizeBytes = simt::shared_memory::static_bytes(function.address);
  attributes->maxThreadsPerBlock = thread_limit(function.address);
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_limit(function.address));
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(simt::KernelReference function, cudaFuncAttribute attribute,
                                 int value) {
  if (const cudaError_t error = api::begin()) return error;
  if (function.address == nullptr) return api::record(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      static_cast<size_t>(value) + simt::shared_memory::static_bytes(function.address) >
          simt::model_device().sharedMemPerBlockOptin) {
    return api::record(cudaErrorInvalidValue);
  }
  kernels::get(function.address).dynamic_shared_limit = static_cast<size_t>(value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(simt::KernelReference, cudaFuncCache) {
  return api::begin();
}
cudaError_t cudaFuncSetSharedMemConfig(simt::KernelReference, cudaSharedMemConfig) {
  return api::begin();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          simt::KernelReference function,
                                                          int block_size, size_t shared_bytes) {
  if (const cudaError_t error = api::begin()) return error;
  if (blocks == nullptr || block_size < 1) return api::record(cudaErrorInvalidValue);
  *blocks =
      block_size > thread_limit(function.address)
          ? 0
          : simt::resident_blocks_per_multiprocessor(
                block_size, shared_bytes + simt::shared_memory::static_bytes(function.address));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   simt::KernelReference function,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, simt::KernelReference function,
                                                      int blocks, int block_size) {
  if (const cudaError_t error = api::begin()) return error;
  if (bytes == nullptr || blocks < 1 || block_size < 1) return api::record(cudaErrorInvalidValue);
  const cudaDeviceProp& device = simt::model_device();
  const size_t each = device.sharedMemPerMultiprocessor / static_cast<size_t>(blocks);
  const size_t taken =
      device.reservedSharedMemPerBlock + simt::shared_memory::static_bytes(function.address);
  *bytes = each > taken ? std::min(each - taken, device.sharedMemPerBlock) : 0;
  return cudaSuccess;
}

namespace simt {

int best_block_size(int* min_grid_size, KernelReference function, size_t shared_bytes, int limit) {
  int most = thread_limit(function.address);
  if (limit > 0) most = std::min(most, limit);
  int best = 0;
  int best_threads = 0;
  for (int size = most / 32 * 32; size >= 32; size -= 32) {
    const int blocks = resident_blocks_per_multiprocessor(
        size, shared_bytes + shared_memory::static_bytes(function.address));
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    best = size;
    *min_grid_size = blocks * model_device().multiProcessorCount;
  }
  return best;
}

}  // namespace simt

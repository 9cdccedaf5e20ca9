// Allocation and release.
#include <cuda_runtime_api.h>

#include "api_state.h"
#include "arena.h"
#include "graphs.h"
#include "heap.h"
#include "model_device.h"
#include "reports.h"

namespace {

using simt::Allocation;
using simt::MemoryKind;
namespace api = simt::api;
namespace heap = simt::heap;

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind, const char* call,
                     std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  api::forbid(call, pc);
  if (const cudaError_t error = simt::graphs::refuse_while_capturing()) return error;
  if (pointer == nullptr) return api::record(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const Allocation* made = heap::allocate(bytes, kind, pc);
  if (made == nullptr) return api::record(cudaErrorMemoryAllocation);
  *pointer = reinterpret_cast<void*>(made->begin);
  return cudaSuccess;
}

cudaError_t release(void* pointer, bool host, const char* call, std::uintptr_t pc) {
  if (const cudaError_t error = api::begin()) return error;
  api::forbid(call, pc);
  if (const cudaError_t error = simt::graphs::refuse_while_capturing()) return error;
  if (pointer == nullptr) return cudaSuccess;
  Allocation* allocation = heap::find(address_of(pointer));
  const bool fits = allocation != nullptr && !allocation->freed &&
                    allocation->begin == address_of(pointer) &&
                    (allocation->kind == MemoryKind::host) == host;
  if (!fits) return api::record(cudaErrorInvalidValue);
  heap::release(*allocation);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMalloc(simt::PointerPlace pointer, size_t bytes) {
  return allocate(pointer.place, bytes, MemoryKind::device, "cudaMalloc", SIMT_API_CALLER);
}

cudaError_t cudaMallocAsync(simt::PointerPlace pointer, size_t bytes, cudaStream_t stream) {
  api::check_stream("cudaMallocAsync", stream, SIMT_API_CALLER);
  return allocate(pointer.place, bytes, MemoryKind::device, "cudaMallocAsync", SIMT_API_CALLER);
}

cudaError_t cudaMallocManaged(simt::PointerPlace pointer, size_t bytes, unsigned int flags) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return api::record(cudaErrorInvalidValue);
  }
  return allocate(pointer.place, bytes, MemoryKind::managed, "cudaMallocManaged", SIMT_API_CALLER);
}

cudaError_t cudaMallocHost(simt::PointerPlace pointer, size_t bytes, unsigned int) {
  return allocate(pointer.place, bytes, MemoryKind::host, "cudaMallocHost", SIMT_API_CALLER);
}

cudaError_t cudaHostAlloc(simt::PointerPlace pointer, size_t bytes, unsigned int) {
  return allocate(pointer.place, bytes, MemoryKind::host, "cudaHostAlloc", SIMT_API_CALLER);
}

cudaError_t cudaMallocPitch(simt::PointerPlace pointer, size_t* pitch, size_t width,
                            size_t height) {
  if (pitch == nullptr) return api::record(cudaErrorInvalidValue);
  constexpr size_t alignment = 512;
  *pitch = (width + alignment - 1) / alignment * alignment;
  return allocate(pointer.place, *pitch * height, MemoryKind::device, "cudaMallocPitch",
                  SIMT_API_CALLER);
}

cudaError_t cudaFree(void* pointer) {
  return release(pointer, false, "cudaFree", SIMT_API_CALLER);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  api::check_stream("cudaFreeAsync", stream, SIMT_API_CALLER);
  return release(pointer, false, "cudaFreeAsync", SIMT_API_CALLER);
}

cudaError_t cudaFreeHost(void* pointer) {
  return release(pointer, true, "cudaFreeHost", SIMT_API_CALLER);
}

// Registered memory stays where it is; its cells lie in the arena, as those of file-scope
// variables.
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int) {
  if (const cudaError_t error = api::begin()) return error;
  api::forbid("cudaHostRegister", SIMT_API_CALLER);
  if (pointer == nullptr || bytes == 0 || simt::arena::contains(address_of(pointer))) {
    return api::record(cudaErrorInvalidValue);
  }
  if (heap::find_symbol(address_of(pointer)) != nullptr) {
    return api::record(cudaErrorHostMemoryAlreadyRegistered);
  }
  heap::add_symbol(address_of(pointer), bytes, {}, "registered host memory",
                   simt::SymbolKind::managed_memory);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  if (const cudaError_t error = api::begin()) return error;
  api::forbid("cudaHostUnregister", SIMT_API_CALLER);
  const Allocation* registered = heap::find_symbol(address_of(pointer));
  if (registered == nullptr || registered->begin != address_of(pointer) ||
      registered->kind != MemoryKind::managed) {
    return api::record(cudaErrorHostMemoryNotRegistered);
  }
  heap::remove_symbol(address_of(pointer));
  return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(simt::PointerPlace device, void* host, unsigned int) {
  if (const cudaError_t error = api::begin()) return error;
  const Allocation* allocation = heap::find(address_of(host));
  const bool pinned = allocation != nullptr && allocation->kind == MemoryKind::host;
  const bool registered = heap::find_symbol(address_of(host)) != nullptr;
  if (device.place == nullptr || (!pinned && !registered)) {
    return api::record(cudaErrorInvalidValue);
  }
  *device.place = host;
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  if (const cudaError_t error = api::begin()) return error;
  if (free == nullptr || total == nullptr) return api::record(cudaErrorInvalidValue);
  *total = simt::model_device().totalGlobalMem;
  *free = *total - heap::bytes_in_use();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (const cudaError_t error = api::begin()) return error;
  if (attributes == nullptr) return api::record(cudaErrorInvalidValue);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr,
                 const_cast<void*>(pointer)};
  const Allocation* allocation = heap::find(address_of(pointer));
  if (allocation == nullptr) allocation = heap::find_symbol(address_of(pointer));
  if (allocation == nullptr || allocation->freed) return cudaSuccess;
  attributes->device = 0;
  attributes->devicePointer = const_cast<void*>(pointer);
  switch (allocation->kind) {
    case MemoryKind::managed:
      attributes->type = cudaMemoryTypeManaged;
      break;
    case MemoryKind::host:
      attributes->type = cudaMemoryTypeHost;
      break;
    default:
      attributes->type = cudaMemoryTypeDevice;
      attributes->hostPointer = nullptr;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int, cudaStream_t stream) {
  if (const cudaError_t error = api::begin()) return error;
  api::check_stream("cudaMemPrefetchAsync", stream, SIMT_API_CALLER);
  const Allocation* allocation = heap::find(address_of(pointer));
  if (allocation == nullptr || allocation->kind != MemoryKind::managed ||
      address_of(pointer) + bytes > allocation->begin + allocation->bytes) {
    return api::record(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, bytes, location.id, stream);
}

cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
  return api::begin();
}

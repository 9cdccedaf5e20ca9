// CUDA's runtime API, implemented on the CPU. Names, codes and semantics are CUDA's; see
// https://docs.nvidia.com/cuda/cuda-runtime-api. The device is a model GPU
// (cudaGetDeviceProperties).
#pragma once

#include <stddef.h>

#include "driver_types.h"
#include "simt/pointer_invoker.h"

#define CUDART_VERSION 13000
#define CUDARTAPI
#define CUDART_CB

namespace simt {

// Where an API function puts a pointer: the address of a pointer of any type. (CUDA has templates
// instead; conversions keep the call, and what is reported of it, on the caller's line.)
struct PointerPlace {
  void** place = nullptr;
  template <class T>
  PointerPlace(T** pointer) : place(reinterpret_cast<void**>(pointer)) {}
  PointerPlace(decltype(nullptr)) {}
};

// A variable of device code.
struct SymbolReference {
  const void* address;
  template <class T>
  SymbolReference(const T& symbol)
      : address(&const_cast<const char&>(reinterpret_cast<const volatile char&>(symbol))) {}
  SymbolReference(const void* symbol) : address(symbol) {}
};

// A kernel, or its address.
struct KernelReference {
  const void* address;
  void (*invoke)(void*) = nullptr;  // with a detail::PointerCall, where the kernel's type is known
  template <class... P>
  KernelReference(void (*kernel)(P...))
      : address(reinterpret_cast<const void*>(kernel)),
        invoke(&detail::PointerInvoker<P...>::invoke) {}
  KernelReference(const void* kernel) : address(kernel) {}
};

}  // namespace simt

// ---- Errors ----
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

// ---- Devices ----
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);

// ---- Memory ----
cudaError_t cudaMalloc(simt::PointerPlace pointer, size_t bytes);
cudaError_t cudaMallocAsync(simt::PointerPlace pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocManaged(simt::PointerPlace pointer, size_t bytes,
                              unsigned int flags = cudaMemAttachGlobal);
cudaError_t cudaMallocHost(simt::PointerPlace pointer, size_t bytes, unsigned int flags = 0);
cudaError_t cudaHostAlloc(simt::PointerPlace pointer, size_t bytes, unsigned int flags);
cudaError_t cudaMallocPitch(simt::PointerPlace pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(simt::PointerPlace device, void* host, unsigned int flags);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device);

cudaError_t cudaMemcpyToSymbol(simt::SymbolReference symbol, const void* from, size_t bytes,
                               size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void* to, simt::SymbolReference symbol, size_t bytes,
                                 size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(simt::SymbolReference symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind,
                                    cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, simt::SymbolReference symbol, size_t bytes,
                                      size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = nullptr);
cudaError_t cudaGetSymbolAddress(simt::PointerPlace pointer, simt::SymbolReference symbol);
cudaError_t cudaGetSymbolSize(size_t* bytes, simt::SymbolReference symbol);

// ---- Streams and events ----
typedef void (*cudaHostFn_t)(void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                     unsigned int flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
// Milliseconds of this CPU: they say nothing about a GPU.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);

// ---- Graphs: captured from streams ----
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long flags = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, size_t log_bytes);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);

// ---- Launches and functions ----
cudaError_t cudaLaunchKernel(simt::KernelReference function, dim3 grid, dim3 block,
                             void** arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr);
cudaError_t cudaLaunchCooperativeKernel(simt::KernelReference function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, simt::KernelReference function);
cudaError_t cudaFuncSetAttribute(simt::KernelReference function, cudaFuncAttribute attribute,
                                 int value);
cudaError_t cudaFuncSetCacheConfig(simt::KernelReference function, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(simt::KernelReference function, cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks,
                                                          simt::KernelReference function,
                                                          int block_size, size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   simt::KernelReference function,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, simt::KernelReference function,
                                                      int blocks, int block_size);

namespace simt {
int best_block_size(int* min_grid_size, KernelReference function, size_t shared_bytes, int limit);
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size,
                                                      F function, size_t shared_bytes = 0,
                                                      int block_size_limit = 0) {
  *block_size = simt::best_block_size(min_grid_size, function, shared_bytes, block_size_limit);
  return cudaSuccess;
}

cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

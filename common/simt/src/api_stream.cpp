// Streams and events. Work runs when it is given, so every wait is over at once.
#include <cuda_runtime_api.h>

#include <chrono>
#include <unordered_set>

#include "api_state.h"
#include "graphs.h"

namespace api = simt::api;
namespace graphs = simt::graphs;

struct CUstream_st {
  unsigned int flags = 0;
  int priority = 0;
};

struct CUevent_st {
  unsigned int flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at{};
};

namespace {

std::unordered_set<const void*>& live() {
  static auto* const instance = new std::unordered_set<const void*>;
  return *instance;
}

bool is_stream(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
         live().count(stream) != 0;
}

cudaError_t make_stream(cudaStream_t* stream, unsigned int flags, int priority) {
  if (const cudaError_t error = api::begin()) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return api::record(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, priority};
  live().insert(*stream);
  return cudaSuccess;
}

cudaError_t make_event(cudaEvent_t* event, unsigned int flags) {
  if (const cudaError_t error = api::begin()) return error;
  if (event == nullptr) return api::record(cudaErrorInvalidValue);
  *event = new CUevent_st{flags, false, {}};
  live().insert(*event);
  return cudaSuccess;
}

cudaError_t check_event(cudaEvent_t event) {
  if (const cudaError_t error = api::begin()) return error;
  if (event == nullptr || live().count(event) == 0) {
    return api::record(cudaErrorInvalidResourceHandle);
  }
  return cudaSuccess;
}

cudaError_t check_stream(cudaStream_t stream) {
  if (const cudaError_t error = api::begin()) return error;
  return is_stream(stream) ? cudaSuccess : api::record(cudaErrorInvalidResourceHandle);
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return make_stream(stream, cudaStreamDefault, 0);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return make_stream(stream, flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return make_stream(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (const cudaError_t error = api::begin()) return error;
  if (stream == nullptr || live().erase(stream) == 0) {
    return api::record(cudaErrorInvalidResourceHandle);
  }
  graphs::forget(stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  api::wait("cudaStreamSynchronize", SIMT_API_CALLER);
  if (const cudaError_t error = graphs::refuse_if_capturing(stream)) return error;
  return check_stream(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  api::look("cudaStreamQuery asks whether work is done,", SIMT_API_CALLER);
  if (const cudaError_t error = graphs::refuse_if_capturing(stream)) return error;
  return check_stream(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  if (const cudaError_t error = check_stream(stream)) return error;
  if (const cudaError_t error = check_event(event)) return error;
  return graphs::wait_for_event(stream, event);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  if (const cudaError_t error = check_stream(stream)) return error;
  *flags = live().count(stream) != 0 ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (const cudaError_t error = check_stream(stream)) return error;
  *priority = live().count(stream) != 0 ? stream->priority : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (const cudaError_t error = api::begin()) return error;
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  if (const cudaError_t error = check_stream(stream)) return error;
  api::check_stream("cudaStreamAddCallback", stream, SIMT_API_CALLER);
  if (const cudaError_t error = graphs::refuse_if_capturing(stream)) return error;
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (const cudaError_t error = check_stream(stream)) return error;
  api::check_stream("cudaLaunchHostFunc", stream, SIMT_API_CALLER);
  if (graphs::is_capturing(stream)) {
    graphs::add(stream, [=](cudaStream_t) {
      function(data);
      return cudaSuccess;
    });
    return cudaSuccess;
  }
  function(data);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return make_event(event, cudaEventDefault);
}
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return make_event(event, flags);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return make_event(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t error = check_event(event)) return error;
  live().erase(event);
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (const cudaError_t error = check_event(event)) return error;
  if (const cudaError_t error = check_stream(stream)) return error;
  graphs::record_event(event, stream);
  event->recorded = true;
  event->at = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  api::wait("cudaEventSynchronize", SIMT_API_CALLER);
  if (graphs::is_captured(event)) return api::record(cudaErrorCapturedEvent);
  return check_event(event);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  api::look("cudaEventQuery asks whether work is done,", SIMT_API_CALLER);
  if (graphs::is_captured(event)) return api::record(cudaErrorCapturedEvent);
  return check_event(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  api::look("cudaEventElapsedTime asks how long work took,", SIMT_API_CALLER);
  if (const cudaError_t error = check_event(begin)) return error;
  if (const cudaError_t error = check_event(end)) return error;
  if (milliseconds == nullptr) return api::record(cudaErrorInvalidValue);
  if (!begin->recorded || !end->recorded || (begin->flags & cudaEventDisableTiming) != 0 ||
      (end->flags & cudaEventDisableTiming) != 0) {
    return api::record(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(end->at - begin->at).count();
  return cudaSuccess;
}

#include "graphs.h"

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "api_state.h"
#include "launch.h"
#include "launch_settings.h"

struct CUgraph_st {
  std::vector<simt::graphs::Work> work;
};
struct CUgraphNode_st {};
struct CUgraphExec_st {
  std::vector<simt::graphs::Work> work;
};

namespace api = simt::api;

namespace simt::graphs {
namespace {

// One capture; streams join it by waiting for its events. Work is kept in the order given, which
// respects every dependency.
struct Capture {
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::vector<Work> work;
  bool invalid = false;
  std::set<cudaStream_t> unjoined;  // with work that the origin has not waited for
};

struct State {
  std::map<cudaStream_t, std::shared_ptr<Capture>> capturing;
  struct Recorded {
    std::shared_ptr<Capture> capture;
    cudaStream_t stream;
    std::size_t work;  // nodes before it
  };
  std::map<cudaEvent_t, Recorded> events;
  std::unordered_set<const void*> live;
};
State& state() {
  static State* const instance = new State;
  return *instance;
}

std::shared_ptr<Capture> capture_of(cudaStream_t stream) {
  const auto found = state().capturing.find(stream);
  return found == state().capturing.end() ? nullptr : found->second;
}

// Forbids what the mode calls unsafe: null when no capture minds.
Capture* one_that_minds() {
  for (const auto& [stream, capture] : state().capturing) {
    if (capture->mode != cudaStreamCaptureModeRelaxed) return capture.get();
  }
  return nullptr;
}

cudaError_t spoil(Capture* capture, cudaError_t error) {
  if (capture == nullptr) return cudaSuccess;
  capture->invalid = true;
  return api::record(error);
}

}  // namespace

bool is_capturing(cudaStream_t stream) {
  return !state().capturing.empty() && capture_of(stream) != nullptr;
}

void add(cudaStream_t stream, Work work) {
  const std::shared_ptr<Capture> capture = capture_of(stream);
  capture->work.push_back(std::move(work));
  if (stream != capture->origin) capture->unjoined.insert(stream);
}

Work keep(const Launch& launch) {
  struct Arguments {
    std::vector<std::unique_ptr<std::max_align_t[]>> storage;
    std::vector<void*> pointers;
    void* copy(const void* value, std::size_t bytes) {
      storage.push_back(std::make_unique<std::max_align_t[]>(bytes / sizeof(std::max_align_t) + 1));
      std::memcpy(storage.back().get(), value, bytes);
      return storage.back().get();
    }
  };
  const auto kept = std::make_shared<Arguments>();
  Launch again;
  again.site = launch.site;
  again.config = launch.config;
  again.invoke = launch.invoke;
  again.cooperative = launch.cooperative;
  again.call_site = launch.call_site;
  again.closure_bytes = launch.closure_bytes;
  again.closure = kept->copy(launch.closure, launch.closure_bytes);
  again.by_address = launch.by_address;
  if (launch.by_address) {
    // The closure holds pointers to the caller's variables.
    auto& call = *static_cast<detail::PointerCall*>(again.closure);
    call.visitor = [](void* context, const void* value, std::size_t bytes) {
      auto* arguments = static_cast<Arguments*>(context);
      arguments->pointers.push_back(arguments->copy(value, bytes));
    };
    call.context = kept.get();
    launch.invoke(&call);
    call.visitor = nullptr;
    call.arguments = kept->pointers.data();
  }
  return [again, kept](cudaStream_t stream) {
    Launch launch_now = again;
    launch_now.config.stream = stream;
    return start_launch(launch_now);
  };
}

cudaError_t refuse_on_legacy_stream(cudaStream_t stream) {
  if (state().capturing.empty() || (stream != nullptr && stream != cudaStreamLegacy)) {
    return cudaSuccess;
  }
  return spoil(one_that_minds(), cudaErrorStreamCaptureImplicit);
}

cudaError_t refuse_while_capturing() {
  if (state().capturing.empty()) return cudaSuccess;
  return spoil(one_that_minds(), cudaErrorStreamCaptureUnsupported);
}

cudaError_t refuse_if_capturing(cudaStream_t stream) {
  if (!is_capturing(stream)) return cudaSuccess;
  return spoil(capture_of(stream).get(), cudaErrorStreamCaptureUnsupported);
}

void record_event(cudaEvent_t event, cudaStream_t stream) {
  if (const std::shared_ptr<Capture> capture = capture_of(stream)) {
    state().events[event] = {capture, stream, capture->work.size()};
  } else {
    state().events.erase(event);
  }
}

bool is_captured(cudaEvent_t event) {
  return state().events.count(event) != 0;
}

cudaError_t wait_for_event(cudaStream_t stream, cudaEvent_t event) {
  const auto found = state().events.find(event);
  const std::shared_ptr<Capture> mine = capture_of(stream);
  if (found == state().events.end()) {
    return mine == nullptr ? cudaSuccess : spoil(mine.get(), cudaErrorStreamCaptureIsolation);
  }
  const std::shared_ptr<Capture> other = found->second.capture;
  if (mine != nullptr && mine != other) return spoil(mine.get(), cudaErrorStreamCaptureMerge);
  state().capturing[stream] = other;
  if (stream == other->origin) other->unjoined.erase(found->second.stream);
  return cudaSuccess;
}

void forget(cudaStream_t stream) {
  state().capturing.erase(stream);
}

void reset() {
  state().capturing.clear();
  state().events.clear();
}

}  // namespace simt::graphs

using simt::graphs::Capture;
using simt::graphs::state;

namespace {

cudaError_t begin_with(const void* handle) {
  if (const cudaError_t error = api::begin()) return error;
  return state().live.count(handle) != 0 ? cudaSuccess : api::record(cudaErrorInvalidValue);
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (const cudaError_t error = api::begin()) return error;
  if (stream == nullptr || stream == cudaStreamLegacy) {
    return api::record(cudaErrorStreamCaptureUnsupported);
  }
  if (simt::graphs::is_capturing(stream)) return api::record(cudaErrorIllegalState);
  const auto capture = std::make_shared<Capture>();
  capture->origin = stream;
  capture->mode = mode;
  state().capturing[stream] = capture;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (const cudaError_t error = api::begin()) return error;
  if (graph == nullptr) return api::record(cudaErrorInvalidValue);
  *graph = nullptr;
  const std::shared_ptr<Capture> capture = simt::graphs::capture_of(stream);
  if (capture == nullptr) return api::record(cudaErrorIllegalState);
  if (capture->origin != stream) {
    return simt::graphs::spoil(capture.get(), cudaErrorStreamCaptureUnmatched);
  }
  std::erase_if(state().capturing, [&](const auto& entry) { return entry.second == capture; });
  std::erase_if(state().events, [&](const auto& entry) { return entry.second.capture == capture; });
  if (capture->invalid) return api::record(cudaErrorStreamCaptureInvalidated);
  if (!capture->unjoined.empty()) return api::record(cudaErrorStreamCaptureUnjoined);
  *graph = new CUgraph_st{capture->work};
  state().live.insert(*graph);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (const cudaError_t error = api::begin()) return error;
  if (status == nullptr) return api::record(cudaErrorInvalidValue);
  const std::shared_ptr<Capture> capture = simt::graphs::capture_of(stream);
  *status = capture == nullptr ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (const cudaError_t error = begin_with(graph)) return error;
  if (count == nullptr) return api::record(cudaErrorInvalidValue);
  // A node is known by its number alone.
  for (size_t i = 0; nodes != nullptr && i < *count; ++i) {
    nodes[i] = i < graph->work.size() ? reinterpret_cast<cudaGraphNode_t>(i + 1) : nullptr;
  }
  *count = graph->work.size();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (const cudaError_t error = begin_with(graph)) return error;
  state().live.erase(graph);
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  if (const cudaError_t error = begin_with(graph)) return error;
  if (executable == nullptr) return api::record(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{graph->work};
  state().live.insert(*executable);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char*, size_t) {
  if (error_node != nullptr) *error_node = nullptr;
  return cudaGraphInstantiate(executable, graph, 0ull);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return begin_with(executable);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (const cudaError_t error = begin_with(executable)) return error;
  api::check_stream("cudaGraphLaunch", stream, SIMT_API_CALLER);
  const std::vector<simt::graphs::Work> work = executable->work;
  if (simt::graphs::is_capturing(stream)) {
    for (const simt::graphs::Work& node : work) simt::graphs::add(stream, node);
    return cudaSuccess;
  }
  for (const simt::graphs::Work& node : work) {
    if (const cudaError_t error = node(stream)) return error;
  }
  return cudaSuccess;
}

// A graph of as many nodes takes the place of what was there.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (const cudaError_t error = begin_with(executable)) return error;
  if (const cudaError_t error = begin_with(graph)) return error;
  const bool fits = executable->work.size() == graph->work.size();
  if (info != nullptr) {
    *info = {fits ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
             nullptr};
  }
  if (!fits) return api::record(cudaErrorGraphExecUpdateFailure);
  executable->work = graph->work;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (const cudaError_t error = begin_with(executable)) return error;
  state().live.erase(executable);
  delete executable;
  return cudaSuccess;
}

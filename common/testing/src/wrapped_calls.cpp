#include "wrapped_calls.h"

#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <utility>

#include "launch_text.h"

namespace testing::wrapped {
namespace {

bool in_lesson = false;
cudaStream_t lesson_stream = nullptr;
std::vector<Diagnostic> seen;
Refusal refused;  // the last launch that was

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

void add(const char* kind, std::string message) {
  for (Diagnostic& known : seen) {
    if (known.kind == kind && known.message == message) {
      ++known.count;
      return;
    }
  }
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.message = std::move(message);
  seen.push_back(std::move(diagnostic));
}

void forbidden(const char* name) {
  if (!in_lesson) return;
  add("forbidden_call", std::string(name) +
                            " was called: a lesson's function neither synchronises nor allocates "
                            "nor frees");
}

void look(const std::string& what) {
  if (!in_lesson) return;
  add("forbidden_call",
      what +
          " inside the lesson's function\n    The host must not wait for results or look at them: "
          "all it knows is the order of its launches. What depends on a result is decided in a "
          "kernel.");
}

bool on_host(const void* pointer) {
  if (!in_lesson || pointer == nullptr) return false;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, pointer) != cudaSuccess) return false;
  return attributes.type == cudaMemoryTypeUnregistered || attributes.type == cudaMemoryTypeHost;
}

// A lesson's function brings nothing that the device made to the host. The driver goes by where the
// pointers lie more than by the kind that was named, so both count.
void keep_on_device(const char* call, const void* to, bool from_host, cudaMemcpyKind kind) {
  if (!in_lesson) return;
  if (kind != cudaMemcpyDeviceToHost && (from_host || !on_host(to))) return;
  look(std::string(call) + " copies from the device to the host");
}

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

void on_stream(const char* what, cudaStream_t stream) {
  if (!in_lesson || stream == lesson_stream || (is_default(stream) && is_default(lesson_stream))) {
    return;
  }
  add("wrong_stream", std::string(what) + " went to " +
                          (is_default(stream) ? "the default stream" : "another stream") +
                          ", not to the stream that was given");
}

cudaError_t launched(cudaError_t error, const dim3& grid, const dim3& block, std::size_t shared) {
  if (in_lesson && is_refusal(error)) refused = {error, grid, block, shared};
  return error;
}

}  // namespace

void begin_lesson(cudaStream_t stream) {
  in_lesson = true;
  refused = {};
  lesson_stream = stream;
}

void end_lesson() {
  in_lesson = false;
  // A function may try a launch, be refused, and take another way: what counts is the error it
  // left.
  if (refused.error != cudaSuccess && cudaPeekAtLastError() == refused.error) {
    add("launch_error", text_of(refused));
  }
}

std::vector<Diagnostic> take() {
  return std::exchange(seen, {});
}

}  // namespace testing::wrapped

// Each definition below has the prototype of cuda_runtime_api.h, or it would not compile.
#define WRAP_FORBIDDEN(name, parameters, arguments)                            \
  cudaError_t CUDARTAPI name parameters {                                      \
    testing::wrapped::forbidden(#name);                                        \
    static const auto call = testing::wrapped::next<decltype(&::name)>(#name); \
    return call arguments;                                                     \
  }
#define WRAP_LAUNCH(name, parameters, arguments, what, grid, block, shared, stream) \
  cudaError_t CUDARTAPI name parameters {                                           \
    testing::wrapped::on_stream(what, stream);                                      \
    static const auto call = testing::wrapped::next<decltype(&::name)>(#name);      \
    return testing::wrapped::launched(call arguments, grid, block, shared);         \
  }
#define WRAP_LOOK(name, parameters, arguments, what)                           \
  cudaError_t CUDARTAPI name parameters {                                      \
    testing::wrapped::look(#name what);                                        \
    static const auto call = testing::wrapped::next<decltype(&::name)>(#name); \
    return call arguments;                                                     \
  }
#define WRAP_COPY(name, parameters, arguments, to, from_host, kind, stream)    \
  cudaError_t CUDARTAPI name parameters {                                      \
    testing::wrapped::on_stream(#name, stream);                                \
    testing::wrapped::keep_on_device(#name, to, from_host, kind);              \
    static const auto call = testing::wrapped::next<decltype(&::name)>(#name); \
    return call arguments;                                                     \
  }
#define WRAP_ON_STREAM(name, parameters, arguments, what, stream)              \
  cudaError_t CUDARTAPI name parameters {                                      \
    testing::wrapped::on_stream(what, stream);                                 \
    static const auto call = testing::wrapped::next<decltype(&::name)>(#name); \
    return call arguments;                                                     \
  }

extern "C" {

WRAP_FORBIDDEN(cudaMalloc, (void** pointer, size_t bytes), (pointer, bytes))
WRAP_FORBIDDEN(cudaMallocManaged, (void** pointer, size_t bytes, unsigned flags),
               (pointer, bytes, flags))
WRAP_FORBIDDEN(cudaMallocHost, (void** pointer, size_t bytes), (pointer, bytes))
WRAP_FORBIDDEN(cudaHostAlloc, (void** pointer, size_t bytes, unsigned flags),
               (pointer, bytes, flags))
WRAP_FORBIDDEN(cudaMallocPitch, (void** pointer, size_t* pitch, size_t width, size_t height),
               (pointer, pitch, width, height))
WRAP_FORBIDDEN(cudaMallocAsync, (void** pointer, size_t bytes, cudaStream_t stream),
               (pointer, bytes, stream))
WRAP_FORBIDDEN(cudaFree, (void* pointer), (pointer))
WRAP_FORBIDDEN(cudaFreeHost, (void* pointer), (pointer))
WRAP_FORBIDDEN(cudaFreeAsync, (void* pointer, cudaStream_t stream), (pointer, stream))
WRAP_FORBIDDEN(cudaDeviceSynchronize, (void), ())
WRAP_FORBIDDEN(cudaStreamSynchronize, (cudaStream_t stream), (stream))
WRAP_FORBIDDEN(cudaEventSynchronize, (cudaEvent_t event), (event))
// In a lesson it is told and not done: the harness's arrays and stream would be gone.
cudaError_t CUDARTAPI cudaDeviceReset(void) {
  testing::wrapped::forbidden("cudaDeviceReset");
  if (testing::wrapped::in_lesson) return cudaSuccess;
  static const auto call = testing::wrapped::next<decltype(&::cudaDeviceReset)>("cudaDeviceReset");
  return call();
}
WRAP_LOOK(cudaStreamQuery, (cudaStream_t stream), (stream), " asks whether work is done,")
WRAP_LOOK(cudaEventQuery, (cudaEvent_t event), (event), " asks whether work is done,")
WRAP_LOOK(cudaEventElapsedTime, (float* milliseconds, cudaEvent_t begin, cudaEvent_t end),
          (milliseconds, begin, end), " asks how long work took,")
// These wait, or run on the default stream, or both.
WRAP_FORBIDDEN(cudaMemcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind),
               (to, from, bytes, kind))
WRAP_FORBIDDEN(cudaMemcpy2D,
               (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                size_t height, cudaMemcpyKind kind),
               (to, to_pitch, from, from_pitch, width, height, kind))
WRAP_FORBIDDEN(cudaMemcpyToSymbol,
               (const void* symbol, const void* from, size_t bytes, size_t offset,
                cudaMemcpyKind kind),
               (symbol, from, bytes, offset, kind))
WRAP_FORBIDDEN(cudaMemcpyFromSymbol,
               (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind),
               (to, symbol, bytes, offset, kind))

WRAP_ON_STREAM(cudaMemset, (void* to, int value, size_t bytes), (to, value, bytes), "cudaMemset",
               nullptr)
WRAP_ON_STREAM(cudaMemsetAsync, (void* to, int value, size_t bytes, cudaStream_t stream),
               (to, value, bytes, stream), "cudaMemsetAsync", stream)
WRAP_COPY(cudaMemcpyAsync,
          (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
          (to, from, bytes, kind, stream), to, testing::wrapped::on_host(from), kind, stream)
WRAP_COPY(cudaMemcpy2DAsync,
          (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
           size_t height, cudaMemcpyKind kind, cudaStream_t stream),
          (to, to_pitch, from, from_pitch, width, height, kind, stream), to,
          testing::wrapped::on_host(from), kind, stream)
WRAP_COPY(cudaMemcpy3DAsync, (const cudaMemcpy3DParms* copy, cudaStream_t stream), (copy, stream),
          copy->dstPtr.ptr, testing::wrapped::on_host(copy->srcPtr.ptr), copy->kind, stream)
WRAP_ON_STREAM(cudaMemcpyToSymbolAsync,
               (const void* symbol, const void* from, size_t bytes, size_t offset,
                cudaMemcpyKind kind, cudaStream_t stream),
               (symbol, from, bytes, offset, kind, stream), "cudaMemcpyToSymbolAsync", stream)
WRAP_COPY(cudaMemcpyFromSymbolAsync,
          (void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
           cudaStream_t stream),
          (to, symbol, bytes, offset, kind, stream), to, false, kind, stream)
WRAP_ON_STREAM(cudaGraphLaunch, (cudaGraphExec_t graph, cudaStream_t stream), (graph, stream),
               "A graph", stream)
WRAP_LAUNCH(cudaLaunchKernel,
            (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
             cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream), "A kernel", grid, block, shared,
            stream)
WRAP_LAUNCH(cudaLaunchCooperativeKernel,
            (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
             cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream), "A cooperative kernel", grid, block,
            shared, stream)
WRAP_LAUNCH(cudaLaunchKernelExC,
            (const cudaLaunchConfig_t* config, const void* kernel, void** arguments),
            (config, kernel, arguments), "A kernel", config->gridDim, config->blockDim,
            config->dynamicSmemBytes, config->stream)

// What nvcc 13 makes of k<<<...>>>(...); no header declares it for a host compiler.
cudaError_t CUDARTAPI __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                         void** arguments, size_t shared, cudaStream_t stream);
WRAP_LAUNCH(__cudaLaunchKernel,
            (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
             cudaStream_t stream),
            (kernel, grid, block, arguments, shared, stream), "A kernel", grid, block, shared,
            stream)
}

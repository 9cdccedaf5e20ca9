#include <cuda_runtime_api.h>

#include "api_state.h"
#include "profile.h"
#include "reports.h"

namespace simt::api {
namespace {
cudaError_t last_error = cudaSuccess;
cudaError_t sticky_error = cudaSuccess;
}  // namespace

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

void set_sticky(cudaError_t error) {
  sticky_error = error;
  if (error == cudaSuccess) last_error = error;
}

cudaError_t begin() {
  return record(sticky_error);
}

Lesson& lesson() {
  static Lesson current;
  return current;
}

void forbid(const char* call, std::uintptr_t pc) {
  if (!lesson().active) return;
  reports::host(
      DiagnosticKind::forbidden_call, pc,
      std::string(call) +
          " is called inside the lesson's function\n    The function only "
          "launches work on its stream: it neither waits for it, nor allocates or frees memory.");
}

void look(const std::string& call, std::uintptr_t pc) {
  if (!lesson().active) return;
  reports::host(DiagnosticKind::forbidden_call, pc,
                call +
                    " inside the lesson's function\n    The host must not wait for results or look "
                    "at them: all it knows is the order of its launches. What depends on a result "
                    "is decided in a kernel.");
}

void wait(const char* call, std::uintptr_t pc) {
  profile::host_waited();
  forbid(call, pc);
}

void check_stream(const char* call, cudaStream_t stream, const Place& place) {
  if (!lesson().active) return;
  const auto plain = [](cudaStream_t s) { return s == cudaStreamLegacy ? nullptr : s; };
  if (plain(stream) == plain(lesson().stream)) return;
  reports::host(
      DiagnosticKind::wrong_stream, place,
      std::string(call) +
          (plain(stream) == nullptr ? " goes on the default stream" : " goes on another stream") +
          ", not on the stream given to the function\n    Work on another stream may run "
          "before or after what the caller ordered: pass `stream` as the last argument.");
}

}  // namespace simt::api

namespace {

struct ErrorText {
  cudaError_t code;
  const char* name;
  const char* text;
};
const ErrorText texts[] = {
#define X(name, code, text) {name, #name, text},
#include "error_table.inc"
#undef X
};

const ErrorText* find(cudaError_t error) {
  for (const ErrorText& entry : texts) {
    if (entry.code == error) return &entry;
  }
  return nullptr;
}

}  // namespace

cudaError_t cudaGetLastError() {
  const cudaError_t error = simt::api::last_error;
  simt::api::last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  return simt::api::last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* entry = find(error);
  return entry == nullptr ? "unrecognized error code" : entry->name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* entry = find(error);
  return entry == nullptr ? "unrecognized error code" : entry->text;
}

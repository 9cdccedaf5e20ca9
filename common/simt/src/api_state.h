// The state behind the runtime API: the last error, a sticky one, and the lesson whose function
// runs.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>

namespace simt::api {

// Records an error as CUDA does: cudaGetLastError gives it once. Returns it.
cudaError_t record(cudaError_t error);
// After a fault of a kernel every call returns the fault, and leaves it for cudaGetLastError, until
// the device is reset. As on a GPU, the launch itself does not: the next call is the first to tell.
void set_sticky(cudaError_t error);

// Begins every API call that can fail: the sticky error, or success.
cudaError_t begin();

// A place in host code: known by the return address of a call, or by name.
struct Place {
  std::uintptr_t pc = 0;
  const char* file = nullptr;
  int line = 0;
  Place(std::uintptr_t call) : pc(call) {}
  Place(const char* known_file, int known_line) : file(known_file), line(known_line) {}
};

// ---- Inside a LessonScope ----
struct Lesson {
  bool active = false;
  cudaStream_t stream = nullptr;
};
Lesson& lesson();
// Reports a call that a lesson's function must not make.
void forbid(const char* call, std::uintptr_t pc);
// The same of a call by which the host would learn what its work has done.
void look(const std::string& call, std::uintptr_t pc);
// The same of a call that waits for the device, which is counted.
void wait(const char* call, std::uintptr_t pc);
// Reports work given to another stream than the lesson's.
void check_stream(const char* call, cudaStream_t stream, const Place& place);

}  // namespace simt::api

// The place that called the API function which uses it.
#define SIMT_API_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

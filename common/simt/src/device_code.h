// What functions of device code share: the running thread and its place in the source.
#pragma once

#include <cstdint>

#include "device.h"
#include "hot.h"

namespace simt {

// Ends the program with a message that names `function`, which only kernels may call.
[[noreturn]] void not_in_a_kernel(const char* function);

inline Thread& running_thread(const char* function) {
  if (!in_cuda_thread()) not_in_a_kernel(function);
  return *hot.thread;
}

// The address after the call of the function that uses it: a macro because it must not be inlined
// into the wrong frame.
#define SIMT_CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

}  // namespace simt

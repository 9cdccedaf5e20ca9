// Read by clangd before every kernel file (cmake/Editor.cmake): what the legality gate reads, in a form that survives
// clangd's precompiled preamble, where of two C functions of one name, for host and for device, only one is left.
#pragma once

// clang's own <new>, when it knows the words below, adds operators for the device that meet the same end.
#include <new>
#define __CLANG_CUDA_WRAPPERS_NEW

#define GATE_LINKAGE "C++"
namespace simt_device {
#include <prelude.h>
}
using namespace simt_device;

// clang's wrapper of <algorithm> uses these, and may be read before <cuda_runtime.h>.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))

// The CUDA runtime's calls, watched: the executable defines them itself and forwards to libcudart,
// so that a kernel object's calls pass here first (wrapped_calls.cpp).
#pragma once

#include <cuda_runtime_api.h>  // without the C++ overloads, so that each name is one function

#include <vector>

#include "testing/diagnostic.h"

namespace testing::wrapped {

// From now on the calls are a lesson function's: they must use `stream`, and must not synchronise,
// allocate or free.
void begin_lesson(cudaStream_t stream);
void end_lesson();

// What was seen since the last call.
std::vector<Diagnostic> take();

}  // namespace testing::wrapped

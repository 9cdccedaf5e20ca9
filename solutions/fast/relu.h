// ReLU; NaN stays NaN.
#pragma once

#include <cuda_runtime.h>

namespace fast {

struct Relu {
  __device__ float operator()(float z) const { return z < 0.0f ? 0.0f : z; }
};

}  // namespace fast

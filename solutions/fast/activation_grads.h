// 009 and 011 as functions of an element and the gradient of its activation.
#pragma once

#include "gelu.h"

namespace fast {

struct ReluGrad {
  __device__ float operator()(float z, float da) const { return z > 0.0f ? da : 0.0f; }
};

struct GeluGrad {
  __device__ float operator()(float z, float da) const { return da * GeluSlope{}(z); }
};

}  // namespace fast

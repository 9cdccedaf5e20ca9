// GELU and its slope, in the tanh form, by one exponential and one quotient.
//
// tanhf costs some thirty instructions and a branch on the size of its argument. With
// 1 + tanh(u) = 2 / (1 + e^(-2u)) what is left is a dozen, few enough for the memory to be what
// limits, and no less exact: __expf errs more the larger its argument, but there the exponential
// hardly counts beside the 1 (docs/error-bounds.md).
#pragma once

#include <cuda_runtime.h>

namespace fast {

constexpr float kGeluRoot = 0.79788456f;  // sqrt(2 / pi)
constexpr float kGeluCubic = 0.044715f;

struct Gelu {
  __device__ float operator()(float x) const {
    // -2 u. Where the square overflows this is -+infinity, and the exponential 0 or infinity.
    const float exponent = x * (-2.0f * kGeluRoot - 2.0f * kGeluRoot * kGeluCubic * x * x);
    return __fdividef(x, 1.0f + __expf(exponent));
  }
};

struct GeluSlope {
  // slope = s + x s (1 - s) 2 u', with s = 1 / (1 + e^(-2u)).
  __device__ float operator()(float x) const {
    const float square = x * x;
    const float u = x * (kGeluRoot + kGeluRoot * kGeluCubic * square);
    // Of |u|, so that the exponential is at most 1, and s (1 - s) = e r^2 is exact to a few units:
    // as a difference from 1 it would lose its digits where s is near 1.
    const float e = __expf(-2.0f * fabsf(u));
    const float r = __fdividef(1.0f, 1.0f + e);
    const float s = x < 0.0f ? e * r : r;
    const float twice_du = 2.0f * kGeluRoot + 6.0f * kGeluRoot * kGeluCubic * square;
    return s + x * twice_du * (e * r * r);
  }
};

}  // namespace fast

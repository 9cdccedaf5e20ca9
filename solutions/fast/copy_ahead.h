// Copies to shared memory that go on while the block computes, and reading them back.
#pragma once

#include <cuda_pipeline.h>

#include "vectors.h"

namespace fast {

// `width` floats; what is not there becomes 0. To be committed and waited for by the caller.
template <int width>
__device__ void copy_ahead(float* to, const float* from, bool there) {
  if (there) {
    __pipeline_memcpy_async(to, from, width * sizeof(float));
  } else {
#pragma unroll
    for (int i = 0; i < width; ++i) to[i] = 0.0f;
  }
}

// `width` floats, 2 or 4, in one access.
template <int width>
__device__ void load(float* to, const float* from) {
  static_assert(width == 2 || width == 4);
  if constexpr (width == 4) {
    const float4 four = load4(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
  } else {
    const float2 two = *reinterpret_cast<const float2*>(from);
    to[0] = two.x, to[1] = two.y;
  }
}

}  // namespace fast

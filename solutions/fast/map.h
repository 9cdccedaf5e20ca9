// out[i] = function(a[i]) and out[i] = function(a[i], b[i]), four elements a thread. The arrays may
// be the same: a thread reads its elements before it writes them.
#pragma once

#include "fours.h"

namespace fast {

template <class Function>
struct MapOne {
  Function function;
  const float* a;
  float* out;

  __device__ void one(int i) const { out[i] = function(a[i]); }
  __device__ void four(int i) const {
    const float4 v = load4(a + i);
    store4(out + i, make_float4(function(v.x), function(v.y), function(v.z), function(v.w)));
  }
};

template <class Function>
struct MapTwo {
  Function function;
  const float* a;
  const float* b;
  float* out;

  __device__ void one(int i) const { out[i] = function(a[i], b[i]); }
  __device__ void four(int i) const {
    // Both loads are under way before either is waited for.
    const float4 v = load4(a + i);
    const float4 w = load4(b + i);
    store4(out + i, make_float4(function(v.x, w.x), function(v.y, w.y), function(v.z, w.z),
                                function(v.w, w.w)));
  }
};

template <class Function>
void map(Function function, const float* a, float* out, int n, cudaStream_t stream) {
  in_fours(MapOne<Function>{function, a, out}, n, aligned(a, out), stream);
}

template <class Function>
void map(Function function, const float* a, const float* b, float* out, int n,
         cudaStream_t stream) {
  in_fours(MapTwo<Function>{function, a, b, out}, n, aligned(a, b, out), stream);
}

}  // namespace fast

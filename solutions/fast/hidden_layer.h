// What stands between the experts' two products: 030 and 031 in one pass. Z is read once; the bias
// is added to it in place, and A gets its activation.
#pragma once

#include "expert_bias.h"
#include "gelu.h"
#include "moe/types.h"
#include "relu.h"

namespace fast {

template <class Function>
struct StoreAndActivate {
  float* Z;
  float* A;

  __device__ void operator()(int i, float z) const {
    Z[i] = z;
    A[i] = Function{}(z);
  }
  __device__ void operator()(int i, float4 z) const {
    const Function function;
    store4(Z + 4 * i, z);
    store4(A + 4 * i, make_float4(function(z.x), function(z.y), function(z.z), function(z.w)));
  }
};

// Z [P,H] holds the products, and then the sums with b1 [E,H].
inline void add_bias_and_activate(float* Z, const float* b1, const int* offsets, float* A, int P,
                                  int E, int H, Activation act, cudaStream_t stream) {
  const bool vectors = aligned(A);
  if (act == Activation::relu) {
    with_expert_bias(Z, b1, offsets, P, E, H, vectors, StoreAndActivate<Relu>{Z, A}, stream);
  } else {
    with_expert_bias(Z, b1, offsets, P, E, H, vectors, StoreAndActivate<Gelu>{Z, A}, stream);
  }
}

}  // namespace fast

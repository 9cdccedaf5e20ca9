// 038 expert_activation_grad, fast: 009 or 011, fast, chosen once on the host.
#include "../fast/gelu.h"
#include "../fast/map.h"
#include "moe/kernels.h"

namespace {

struct ReluGrad {
  __device__ float operator()(float z, float da) const { return z > 0.0f ? da : 0.0f; }
};

struct GeluGrad {
  __device__ float operator()(float z, float da) const { return da * fast::GeluSlope{}(z); }
};

}  // namespace

void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream) {
  if (act == Activation::relu) {
    fast::map(ReluGrad{}, Z, dA, dZ, n, stream);
  } else {
    fast::map(GeluGrad{}, Z, dA, dZ, n, stream);
  }
}

// 038 expert_activation_grad, fast: 009 or 011, fast, chosen once on the host.
#include "../fast/activation_grads.h"
#include "../fast/map.h"
#include "moe/kernels.h"

void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream) {
  if (act == Activation::relu) {
    fast::map(fast::ReluGrad{}, Z, dA, dZ, n, stream);
  } else {
    fast::map(fast::GeluGrad{}, Z, dA, dZ, n, stream);
  }
}

// right: one thread an element, blocks of 1,024; the gate without tanh.
#include "moe/kernels.h"

namespace {

template <Activation kAct>
__global__ void back(const float* __restrict__ Z, const float* __restrict__ dA, float* dZ, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float z = Z[i], da = dA[i];
  if constexpr (kAct == Activation::relu) {
    dZ[i] = z > 0 ? da : 0;
  } else {
    const float root = 0.79788456f;
    const float u = root * (z + 0.044715f * z * z * z);
    const float gate = 1.0f / (1.0f + expf(-2.0f * u));
    const float other = 1.0f / (1.0f + expf(2.0f * u));
    dZ[i] = da * (gate + 2.0f * z * gate * other * root * (1.0f + 0.134145f * z * z));
  }
}

}  // namespace

void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream) {
  if (n == 0) return;
  const int blocks = (n + 1023) / 1024;
  if (act == Activation::relu) {
    back<Activation::relu><<<blocks, 1024, 0, stream>>>(Z, dA, dZ, n);
  } else {
    back<Activation::gelu><<<blocks, 1024, 0, stream>>>(Z, dA, dZ, n);
  }
}

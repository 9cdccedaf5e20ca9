// 038 expert_activation_grad: dZ[i] = dA[i] act'(Z[i]), the activation chosen once, on the host.
//
// Z, dA and dZ [n] are float arrays in device memory; Z is what the forward saved. n may be 0.
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

// What 009 and 011 compute for one element.
struct Relu {
  static __device__ float apply(float z, float da) { return z > 0.0f ? da : 0.0f; }
};

struct Gelu {
  static __device__ float apply(float z, float da) {
    // Past 10 the slope is 0 or 1 to the last bit, and the cube below does not overflow.
    const float x = fminf(fmaxf(z, -10.0f), 10.0f);
    const float u = 0.79788456f * (x + 0.044715f * x * x * x);  // sqrt(2/pi) (x + ...)
    const float du = 0.79788456f * (1.0f + 0.134145f * x * x);  // 3 * 0.044715
    const float t = tanhf(u);
    return da * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du);
  }
};

template <class Function>
__global__ void expert_activation_grad_kernel(const float* Z, const float* dA, float* dZ, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) dZ[i] = Function::apply(Z[i], dA[i]);
}

}  // namespace

void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream) {
  if (n == 0) return;

  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  if (act == Activation::relu) {
    expert_activation_grad_kernel<Relu><<<blocks, kThreads, 0, stream>>>(Z, dA, dZ, n);
  } else {
    expert_activation_grad_kernel<Gelu><<<blocks, kThreads, 0, stream>>>(Z, dA, dZ, n);
  }
}

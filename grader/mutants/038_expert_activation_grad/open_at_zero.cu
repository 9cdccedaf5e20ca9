// mistake: open-at-zero
// why: ReLU lets the gradient through at exactly 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

// 8 warps. 8 such blocks are 64 warps, as many as a multiprocessor of an H200 holds.
constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

// What 009 and 011 compute for one element.
struct Relu {
  static __device__ float apply(float z, float da) { return z >= 0.0f ? da : 0.0f; }
};

struct Gelu {
  static __device__ float apply(float z, float da) {
    const float root = 0.79788456f;  // sqrt(2 / pi)
    const float u = root * (z + 0.044715f * z * z * z);
    const float du = root * (1.0f + 3.0f * 0.044715f * z * z);
    const float t = tanhf(u);
    // Far out 1 - t^2 is exactly 0, and 0 times the large but finite du is 0.
    return da * (0.5f * (1.0f + t) + 0.5f * z * (1.0f - t * t) * du);
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

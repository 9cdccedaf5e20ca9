// mistake: stride-of-block
// why: Each block walks over everything that follows it, adding up in A after it is cleared.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

// What 008 computes for one element.
struct Relu {
  static __device__ float apply(float z) { return z < 0.0f ? 0.0f : z; }
};

// What 010 computes for one element.
struct Gelu {
  static __device__ float apply(float z) {
    const float u = 0.79788456f * (z + 0.044715f * z * z * z);  // sqrt(2/pi) (z + ...)
    return 0.5f * z * (1.0f + tanhf(u));
  }
};

// One source, two kernels: inside each the activation is fixed, and no element asks which.
template <class Function>
__global__ void expert_activation_kernel(const float* Z, float* A, int n) {
  const long long stride = blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) {
    A[i] = 0.0f;
    A[i] += Function::apply(Z[i]);
  }
}

}  // namespace

void expert_activation(const float* Z, float* A, int n, Activation act, cudaStream_t stream) {
  if (n == 0) return;

  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  if (act == Activation::relu) {
    expert_activation_kernel<Relu><<<blocks, kThreads, 0, stream>>>(Z, A, n);
  } else {
    expert_activation_kernel<Gelu><<<blocks, kThreads, 0, stream>>>(Z, A, n);
  }
}

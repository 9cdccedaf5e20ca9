// 038 expert_activation_grad: dZ[i] = dA[i] act'(Z[i]), the activation chosen once, on the host.
//
// Z, dA and dZ [n] are float arrays in device memory; Z is what the forward saved. n may be 0, and
// |Z| goes up to 1e4.
#include "moe/kernels.h"

namespace {

// 8 warps. 8 such blocks are 64 warps, as many as a multiprocessor of an H200 holds.
constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

// What 009 and 011 compute for one element.
struct Relu {
  static __device__ float apply(float z, float da) { return z > 0.0f ? da : 0.0f; }
};

// TODO(1): a type Gelu like Relu above: da times 011's slope at z.
// END TODO(1)

template <class Function>
__global__ void expert_activation_grad_kernel(const float* Z, const float* dA, float* dZ, int n) {
  // TODO(2): a grid-stride loop with a 64-bit counter, and in it `apply` of the type Function.
  // END TODO(2)
}

}  // namespace

void expert_activation_grad(const float* Z, const float* dA, float* dZ, int n, Activation act,
                            cudaStream_t stream) {
  if (n == 0) return;

  // TODO(3): blocks of kThreads threads for n elements, but no more than kMostBlocks; and the
  // kernel that was made for `act`.
  expert_activation_grad_kernel<Relu><<<1, 1, 0, stream>>>(Z, dA, dZ, n);
  // END TODO(3)
}

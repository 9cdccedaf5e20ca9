// mistake: unchecked-alignment
// why: A size divisible by four says nothing about where the arrays begin.
// rejected-for: misaligned,launch_error,value
// rejected-on: both
#include <cstdint>

#include "moe/kernels.h"

namespace {

__global__ void relu_forward_kernel(const float* x, float* y, int n, int groups) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  const long long first = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;

  // Groups of four: one load and one store of 16 bytes. A NaN is not below 0, so it passes.
  const float4* x4 = reinterpret_cast<const float4*>(x);
  float4* y4 = reinterpret_cast<float4*>(y);
  for (long long g = first; g < groups; g += stride) {
    float4 v = x4[g];
    v.x = v.x < 0.0f ? 0.0f : v.x;
    v.y = v.y < 0.0f ? 0.0f : v.y;
    v.z = v.z < 0.0f ? 0.0f : v.z;
    v.w = v.w < 0.0f ? 0.0f : v.w;
    y4[g] = v;
  }

  // What the groups leave, one by one: at most three elements, or all if there are no groups.
  for (long long i = 4LL * groups + first; i < n; i += stride) {
    const float v = x[i];
    y[i] = v < 0.0f ? 0.0f : v;
  }
}

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  if (n == 0) return;

  const int groups = n % 4 == 0 ? n / 4 : 0;

  const int threads = 256;
  const int blocks = (n + 4 * threads - 1) / (4 * threads);
  relu_forward_kernel<<<blocks, threads, 0, stream>>>(x, y, n, groups);
}

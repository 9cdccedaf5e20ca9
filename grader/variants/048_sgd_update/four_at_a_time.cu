// right: 16-byte accesses where both pointers allow it, a launch of its own for the rest.
#include <cstdint>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 128;

__global__ void update_by_four(float4* w, const float4* g, int groups, float lr) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float4 weight = w[i];
  const float4 gradient = g[i];
  weight.x -= lr * gradient.x;
  weight.y -= lr * gradient.y;
  weight.z -= lr * gradient.z;
  weight.w -= lr * gradient.w;
  w[i] = weight;
}

__global__ void update_by_one(float* w, const float* g, int first, int n, float lr) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= lr * g[i];
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

}  // namespace

void sgd_update(float* w, const float* g, int n, float lr, cudaStream_t stream) {
  const int groups = aligned(w) && aligned(g) ? n / 4 : 0;
  const int left = n - 4 * groups;
  if (groups > 0) {
    update_by_four<<<(groups + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
        reinterpret_cast<float4*>(w), reinterpret_cast<const float4*>(g), groups, lr);
  }
  if (left > 0) {
    update_by_one<<<(left + kThreads - 1) / kThreads, kThreads, 0, stream>>>(w, g, 4 * groups, n,
                                                                             lr);
  }
}

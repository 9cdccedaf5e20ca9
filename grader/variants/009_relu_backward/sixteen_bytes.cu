// right: groups of four where all three arrays allow it, by a mask of bits instead of a select.
#include <cstdint>

#include "moe/kernels.h"

namespace {

__device__ float gate(float x, float dy) {
  const unsigned mask = x > 0.0f ? 0xffffffffu : 0u;
  return __uint_as_float(__float_as_uint(dy) & mask);
}

__global__ void by_four(const float4* __restrict__ x, const float4* __restrict__ dy,
                        float4* __restrict__ dx, int groups) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const float4 a = x[g], b = dy[g];
  dx[g] = make_float4(gate(a.x, b.x), gate(a.y, b.y), gate(a.z, b.z), gate(a.w, b.w));
}

__global__ void one_by_one(const float* x, const float* dy, float* dx, int first, int n) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dx[i] = gate(x[i], dy[i]);
}

bool aligned(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) % 16 == 0;
}

}  // namespace

void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  const int groups = aligned(x) && aligned(dy) && aligned(dx) ? n / 4 : 0;
  if (groups > 0) {
    by_four<<<(groups + 127) / 128, 128, 0, stream>>>(reinterpret_cast<const float4*>(x),
                                                      reinterpret_cast<const float4*>(dy),
                                                      reinterpret_cast<float4*>(dx), groups);
  }
  const int rest = n - 4 * groups;
  if (rest > 0) one_by_one<<<(rest + 127) / 128, 128, 0, stream>>>(x, dy, dx, 4 * groups, n);
}

// right: where x and y are off a 16-byte boundary by the same distance, a head is done one by one,
// then groups of four, then the tail.
#include <cstdint>

#include "moe/kernels.h"

namespace {

__device__ float relu(float v) {
  return v <= 0.0f ? 0.0f : v;
}

__global__ void one_by_one(const float* __restrict__ x, float* __restrict__ y, int first,
                           int last) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) y[i] = relu(x[i]);
}

__global__ void by_four(const float4* __restrict__ x, float4* __restrict__ y, int groups) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (g >= groups) return;
  const float4 v = x[g];
  y[g] = make_float4(relu(v.x), relu(v.y), relu(v.z), relu(v.w));
}

int words_past_boundary(const void* p) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(p) % 16 / 4);
}

void launch_one_by_one(const float* x, float* y, int first, int last, cudaStream_t stream) {
  if (first < last) one_by_one<<<(last - first + 255) / 256, 256, 0, stream>>>(x, y, first, last);
}

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  const int past = words_past_boundary(x);
  if (past != words_past_boundary(y)) {
    launch_one_by_one(x, y, 0, n, stream);
    return;
  }
  int head = (4 - past) % 4;
  if (head > n) head = n;
  const int groups = (n - head) / 4;
  launch_one_by_one(x, y, 0, head, stream);
  if (groups > 0) {
    by_four<<<(groups + 255) / 256, 256, 0, stream>>>(reinterpret_cast<const float4*>(x + head),
                                                      reinterpret_cast<float4*>(y + head), groups);
  }
  launch_one_by_one(x, y, head + 4 * groups, n, stream);
}

// mistake: unaligned-vector
// why: Four floats at a time need addresses that are multiples of 16 bytes.
// rejected-for: misaligned
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void elementwise_add_kernel(const float* a, const float* b, float* out, int n) {
  // Past the last element the counter can exceed what an int holds: 64 bits. The first factor is
  // widened, so that the products do not overflow either.
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; 4 * i + 3 < n; i += stride) {
    const float4 x = reinterpret_cast<const float4*>(a)[i];
    const float4 y = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(out)[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
  }
  for (long long k = 4 * i; k < n && k < 4 * i + 4; ++k) out[k] = a[k] + b[k];
}

}  // namespace

void elementwise_add(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;

  // No more blocks than the elements need, and never more than keep a large GPU busy.
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  elementwise_add_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
}

// Ordinary C++ on host memory: whether `out` is a right result of elementwise_add(a, b, out, n).
extern "C" bool check_elementwise_add(const float* a, const float* b, const float* out, int n) {
  for (int i = 0; i < n; ++i) {
    // One addition, rounded once: there is one right answer. A NaN equals nothing, so it fails.
    const float sum = a[i] + b[i];
    if (out[i] != sum) return false;
  }
  return true;
}

// mistake: waits
// why: A function of the layer never waits for the device.
// rejected-for: forbidden_call
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
  for (; i < n; i += stride) out[i] = a[i] + b[i];
}

}  // namespace

void elementwise_add(const float* a, const float* b, float* out, int n, cudaStream_t stream) {
  if (n == 0) return;

  // No more blocks than the elements need, and never more than keep a large GPU busy.
  const int needed = (n + kThreads - 1) / kThreads;
  const int blocks = needed < kMostBlocks ? needed : kMostBlocks;
  elementwise_add_kernel<<<blocks, kThreads, 0, stream>>>(a, b, out, n);
  cudaStreamSynchronize(stream);
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

// mistake: one-element-each
// why: A thread takes one element, and the grid has fewer threads than elements.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kMostBlocks = 1024;

__global__ void elementwise_add_kernel(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
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

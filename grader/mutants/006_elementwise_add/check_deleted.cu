// mistake: check-deleted
// why: The exercise's own check is not in the file.
// rejected-for: value
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
}

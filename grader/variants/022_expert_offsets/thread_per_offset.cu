// right: a thread per offset sums what comes before it, in several blocks.
#include "moe/kernels.h"

namespace {

__global__ void offsets_kernel(const int* counts, int* offsets, int E) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e > E) return;
  int sum = 0;
  for (int i = 0; i < e; ++i) sum += counts[i];
  offsets[e] = sum;
}

}  // namespace

void expert_offsets(const int* counts, int* offsets, int E, cudaStream_t stream) {
  offsets_kernel<<<(E + 1 + 63) / 64, 64, 0, stream>>>(counts, offsets, E);
}

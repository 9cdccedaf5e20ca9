// mistake: missing-barrier
// why: The block adds up the pairs itself, and reads the total before all have added.
// rejected-for: race
// rejected-on: cpu
#include "moe/kernels.h"

namespace {

__global__ void dispatch_fractions_kernel(const int* counts, float* fractions, int E) {
  __shared__ int total;
  const int expert = threadIdx.x;
  if (expert == 0) total = 0;
  __syncthreads();

  if (expert < E) atomicAdd(&total, counts[expert]);

  if (expert < E) {
    fractions[expert] =
        total > 0 ? static_cast<float>(counts[expert]) / static_cast<float>(total) : 0.0f;
  }
}

}  // namespace

void dispatch_fractions(const int* counts, float* fractions, int, int E, cudaStream_t stream) {
  dispatch_fractions_kernel<<<1, 1024, 0, stream>>>(counts, fractions, E);
}

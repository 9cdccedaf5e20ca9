// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_up_bias_kernel(float* Z, const float* b1, const int* off, int H) {
  int e = blockIdx.y;
  for (int r = off[e] + blockIdx.x; r < off[e + 1]; r += gridDim.x)
    Z[r * H + threadIdx.x] += b1[e * H + threadIdx.x];
}

}  // namespace

void expert_up_bias(float* Z, const float* b1, const int* off, int P, int E, int H,
                    cudaStream_t stream) {
  if (P == 0) return;
  expert_up_bias_kernel<<<dim3(4, E), H, 0, stream>>>(Z, b1, off, H);
}

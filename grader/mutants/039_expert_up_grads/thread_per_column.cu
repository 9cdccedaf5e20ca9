// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void expert_up_grads_kernel(const float* X, const float* Z, const int* off, float* W,
                                       float* B, int D, int H) {
  int e = blockIdx.y, d = blockIdx.x, h = threadIdx.x;
  float s = 0, t = 0;
  for (int r = off[e]; r < off[e + 1]; ++r) {
    s += X[r * D + d] * Z[r * H + h];
    t += Z[r * H + h];
  }
  W[(e * D + d) * H + h] += s;
  if (d == 0) B[e * H + h] += t;
}

}  // namespace

void expert_up_grads(const float* X, const float* Z, const int* off, float* dW1, float* db1, int P,
                     int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;
  expert_up_grads_kernel<<<dim3(D, E), H, 0, stream>>>(X, Z, off, dW1, db1, D, H);
}

// mistake: unchecked-alignment
// why: Sixteen bytes at a time wherever the arrays begin.
// rejected-for: misaligned,launch_error,value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__global__ void relu_backward_kernel(const float* x, const float* dy, float* dx, int n) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * g + 3 < n) {
    const float4 a = reinterpret_cast<const float4*>(x)[g];
    const float4 b = reinterpret_cast<const float4*>(dy)[g];
    reinterpret_cast<float4*>(dx)[g] =
        make_float4(a.x > 0 ? b.x : 0, a.y > 0 ? b.y : 0, a.z > 0 ? b.z : 0, a.w > 0 ? b.w : 0);
  } else {
    for (int i = 4 * g; i < n; ++i) dx[i] = x[i] > 0 ? dy[i] : 0;
  }
}

}  // namespace

void relu_backward(const float* x, const float* dy, float* dx, int n, cudaStream_t stream) {
  if (n == 0) return;
  relu_backward_kernel<<<(n + 1023) / 1024, 256, 0, stream>>>(x, dy, dx, n);
}

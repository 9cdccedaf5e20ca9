// right: a thread an output of an expert's [D+1,H]; the last row belongs to an input that is
// always 1.
#include "moe/kernels.h"

namespace {

__global__ void up_kernel(const float* Xs, const float* dZ, const int* offsets, float* dW1,
                          float* db1, long long outputs, int D, int H) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < outputs;
       i += stride) {
    const int h = static_cast<int>(i % H);
    const int d = static_cast<int>(i / H % (D + 1));
    const int expert = static_cast<int>(i / H / (D + 1));
    float sum = 0.0f;
    for (int row = offsets[expert]; row < offsets[expert + 1]; ++row) {
      sum += (d < D ? Xs[row * D + d] : 1.0f) * dZ[row * H + h];
    }
    float* const gradient = d < D ? dW1 + (expert * D + d) * H + h : db1 + expert * H + h;
    *gradient += sum;
  }
}

}  // namespace

void expert_up_grads(const float* Xs, const float* dZ, const int* offsets, float* dW1, float* db1,
                     int P, int E, int D, int H, cudaStream_t stream) {
  if (P == 0) return;
  const long long outputs = static_cast<long long>(E) * (D + 1) * H;
  const long long blocks = (outputs + 127) / 128;
  up_kernel<<<static_cast<int>(blocks < 200 ? blocks : 200), 128, 0, stream>>>(Xs, dZ, offsets, dW1,
                                                                               db1, outputs, D, H);
}

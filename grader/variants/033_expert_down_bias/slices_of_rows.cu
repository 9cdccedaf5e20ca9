// right: a thread keeps the bias of its column and walks a slice of 64 rows, across experts.
#include "moe/kernels.h"
namespace {
__global__ void add(float* Ys, const float* b2, const int* offsets, int P, int D) {
  const int col = blockIdx.y * blockDim.x + threadIdx.x;
  if (col >= D) return;
  int row = blockIdx.x * 64;
  const int last = P - row < 64 ? P : row + 64;
  int e = 0;
  while (offsets[e + 1] <= row) ++e;
  while (row < last) {
    const float bias = b2[e * D + col];
    const int end = offsets[e + 1] < last ? offsets[e + 1] : last;
    for (; row < end; ++row) Ys[row * D + col] += bias;
    ++e;
  }
}
}  // namespace
void expert_down_bias(float* Ys, const float* b2, const int* offsets, int P, int E, int D,
                      cudaStream_t stream) {
  if (P == 0) return;
  add<<<dim3((P + 63) / 64, (D + 31) / 32), 32, 0, stream>>>(Ys, b2, offsets, P, D);
}

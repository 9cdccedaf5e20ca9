// mistake: inputs-in-tf32
// why: Both factors of dXs keep 10 bits after the point, as the tensor cores take them.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__device__ float tf32(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xffffe000u);
}

// A thread a row and column of dXs, without the lessons before.
__global__ void input_kernel(const float* dZ, const float* W1, const int* offsets, float* dXs,
                             int n, int D, int H) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int row = i / D;
  int expert = 0;
  while (offsets[expert + 1] <= row) ++expert;
  float sum = 0.0f;
  for (int h = H - 1; h >= 0; --h)
    sum += tf32(dZ[row * H + h]) * tf32(W1[expert * D * H + i % D * H + h]);
  dXs[i] = sum;
}

__device__ float slope(float z, Activation act) {
  if (act == Activation::relu) return z > 0.0f ? 1.0f : 0.0f;
  const float u = 0.7978845608f * (z + 0.044715f * z * z * z);
  const float t = tanhf(u);
  return 0.5f * (1.0f + t) +
         0.5f * z * (1.0f - t) * (1.0f + t) * 0.7978845608f * (1.0f + 3.0f * 0.044715f * z * z);
}

__global__ void slope_kernel(const float* Z, const float* dA, float* dZ, int n, Activation act) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) dZ[i] = dA[i] * slope(Z[i], act);
}

}  // namespace

void expert_backward(const float* Xs, const float* Z, const float* A, const float* dYs,
                     const MoeParams& params, const int* offsets, float* dA, float* dZ, float* dXs,
                     const MoeParams& grads, int P, int E, int D, int H, Activation act,
                     cudaStream_t stream) {
  if (P == 0) return;
  // Ys = A W2 + b2
  expert_down_bias_grad(dYs, offsets, grads.b2, P, E, D, stream);
  expert_down_weight_grad(A, dYs, offsets, grads.W2, P, E, H, D, stream);
  expert_hidden_grad(dYs, params.W2, offsets, dA, P, E, H, D, stream);

  // A = act(Z)
  slope_kernel<<<(P * H + 127) / 128, 128, 0, stream>>>(Z, dA, dZ, P * H, act);

  // Z = Xs W1 + b1
  expert_up_grads(Xs, dZ, offsets, grads.W1, grads.b1, P, E, D, H, stream);
  input_kernel<<<(P * D + 127) / 128, 128, 0, stream>>>(dZ, params.W1, offsets, dXs, P * D, D, H);
}

// mistake: bias-of-the-first
// why: One kernel a layer; every expert gets the bias of expert 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

__device__ float activated(float z, Activation act) {
  if (act == Activation::relu) return fmaxf(z, 0.0f);
  return 0.5f * z * (1.0f + tanhf(0.79788456f * (z + 0.044715f * z * z * z)));
}

// out = in W + b for the rows of the block's expert; `after`, if there is one, gets act(out).
__global__ void layer(const float* in, const float* W, const float* b, const int* offsets,
                      float* out, float* after, int inner, int width, Activation act) {
  const int e = blockIdx.y;
  for (int row = offsets[e] + blockIdx.x; row < offsets[e + 1]; row += gridDim.x) {
    for (int c = threadIdx.x; c < width; c += blockDim.x) {
      float sum = b[c];
      for (int k = 0; k < inner; ++k) sum += in[row * inner + k] * W[(e * inner + k) * width + c];
      out[row * width + c] = sum;
      if (after != nullptr) after[row * width + c] = activated(sum, act);
    }
  }
}

}  // namespace

void expert_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                    float* A, float* Ys, int P, int E, int D, int H, Activation act,
                    cudaStream_t stream) {
  if (P == 0) return;
  const dim3 grid(P < 16 ? P : 16, E);
  layer<<<grid, 32, 0, stream>>>(Xs, params.W1, params.b1, offsets, Z, A, D, H, act);
  layer<<<grid, 32, 0, stream>>>(A, params.W2, params.b2, offsets, Ys, nullptr, H, D, act);
}

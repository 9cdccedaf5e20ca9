// mistake: bias-of-the-first
// why: One kernel a layer; every expert gets the bias of expert 0.
// rejected-for: value
// rejected-on: both
#include <cmath>

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

namespace {

// On the host, in double precision: the functions of 008 and 010.
inline double activated(double z, Activation act) {
  if (act == Activation::relu) return z > 0 ? z : 0;
  return 0.5 * z * (1 + std::tanh(0.7978845608 * (z + 0.044715 * z * z * z)));
}

// Whether a kernel's sum is right but for rounding; `size` is the sum of the terms' sizes.
inline bool is_sum(double got, double sum, double size) {
  return std::fabs(got - sum) <= 1e-5 * size;
}

}  // namespace

// Ordinary C++ on host memory. There is one expert, so W1 [D,H], b1 [H], W2 [H,D] and b2 [D] serve
// all rows: whether Z and Ys are those of a plain network of two layers.
extern "C" bool check_expert_forward(const float* Xs, const float* W1, const float* b1,
                                     const float* W2, const float* b2, const float* Z,
                                     const float* Ys, int P, int D, int H, Activation act) {
  for (int row = 0; row < P; ++row) {
    for (int h = 0; h < H; ++h) {
      double sum = b1[h], size = std::fabs(b1[h]);
      for (int d = 0; d < D; ++d) {
        const double term = static_cast<double>(Xs[row * D + d]) * W1[d * H + h];
        sum += term;
        size += std::fabs(term);
      }
      if (!is_sum(Z[row * H + h], sum, size)) return false;
    }
    for (int d = 0; d < D; ++d) {
      double sum = b2[d], size = std::fabs(b2[d]);
      for (int h = 0; h < H; ++h) {
        const double z = Z[row * H + h];
        sum += activated(z, act) * W2[h * D + d];
        size += std::fabs(z * W2[h * D + d]);
      }
      if (!is_sum(Ys[row * D + d], sum, size)) return false;
    }
  }
  return true;
}

// mistake: thread-per-column
// why: A thread for each column of a row: a block has 1,024 threads at most.
// rejected-for: launch_error
// rejected-on: both
#include <cmath>

#include "moe/kernels.h"

namespace {

__global__ void add_bias(float* Ys, const float* b2, const int* offsets) {
  const int row = blockIdx.x, d = threadIdx.x, D = blockDim.x;
  int e = 0;
  while (offsets[e + 1] <= row) ++e;
  Ys[row * D + d] += b2[e * D + d];
}

}  // namespace

void expert_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                    float* A, float* Ys, int P, int E, int D, int H, Activation act,
                    cudaStream_t stream) {
  // One stream: each call finds what the one before it wrote.
  expert_up(Xs, params.W1, offsets, Z, P, E, D, H, stream);
  expert_up_bias(Z, params.b1, offsets, P, E, H, stream);
  expert_activation(Z, A, P * H, act, stream);
  expert_down(A, params.W2, offsets, Ys, P, E, H, D, stream);
  if (P > 0) add_bias<<<P, D, 0, stream>>>(Ys, params.b2, offsets);
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

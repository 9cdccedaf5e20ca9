// 034 expert_forward: the experts' two layers, by lessons 029 to 033 in order; and a check of it.
//
// Xs, Ys [P,D] and Z, A [P,H] are row-major float arrays, offsets [E+1] holds ints, all in device
// memory; so are the arrays of params. Z is left with its bias. P may be 0; D, H, E at least 1.
#include <cmath>

#include "moe/kernels.h"

void expert_forward(const float* Xs, const MoeParams& params, const int* offsets, float* Z,
                    float* A, float* Ys, int P, int E, int D, int H, Activation act,
                    cudaStream_t stream) {
  // TODO(1): lessons 029 to 033, in order, on `stream`. Which array does each read, which does it
  // write? The activation takes all P rows of H at once.
  // END TODO(1)
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
  // TODO(2): for each row: every Z[row, h] is b1[h] plus D products, every Ys[row, d] is b2[d] plus
  // H products with `activated` of the Z that was handed in. Sum up in double, and return false at
  // the first one that is_sum refuses. The size of a term of Ys is |z * W2|: next to 0 the
  // activation is only as exact as z is.
  // END TODO(2)
  return true;
}

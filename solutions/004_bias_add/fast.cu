// 004 bias_add, fast: X as one long array, four elements a thread; the column by a remainder.
//
// The clear kernel gives a warp a row, so a narrow row leaves lanes idle, and each access moves 4
// bytes. In the flat array all threads are busy whatever the shape, and a group of four may cross
// the end of a row: then the bias goes on at its beginning. The bias itself stays in the L1 cache.
#include "../fast/fours.h"
#include "moe/kernels.h"

namespace {

using fast::operator+;

struct BiasAdd {
  const float* X;
  const float* b;
  float* Y;
  unsigned cols;
  bool bias_in_fours;  // no group crosses a row's end, and b is aligned

  __device__ void one(int i) const { Y[i] = X[i] + b[i % cols]; }
  __device__ void four(int i) const {
    const float4 x = fast::load4(X + i);  // under way while the column is computed
    fast::store4(Y + i, x + bias(i % cols));
  }

 private:
  __device__ unsigned next(unsigned c) const { return c + 1 == cols ? 0 : c + 1; }
  __device__ float4 bias(unsigned c) const {
    if (bias_in_fours) return fast::load4(b + c);
    const unsigned c1 = next(c), c2 = next(c1), c3 = next(c2);
    return make_float4(b[c], b[c1], b[c2], b[c3]);
  }
};

}  // namespace

void bias_add(const float* X, const float* b, float* Y, int rows, int cols, cudaStream_t stream) {
  const BiasAdd body{X, b, Y, static_cast<unsigned>(cols), cols % 4 == 0 && fast::aligned(b)};
  fast::in_fours(body, rows * cols, fast::aligned(X, Y), stream);
}

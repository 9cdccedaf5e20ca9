// Makes the compiler work for ever.
// expect: compile_error
// full: takes a whole time limit
#include "moe/kernels.h"

namespace {

template <int depth, int width>
struct Tree {
  static constexpr long value =
      Tree<depth - 1, 2 * width>::value + Tree<depth - 1, 2 * width + 1>::value;
};
template <int width>
struct Tree<0, width> {
  static constexpr long value = width;
};

}  // namespace

static_assert(Tree<26, 1>::value != 0);

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}

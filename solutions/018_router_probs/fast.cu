// 018 router_probs, fast: several tokens a warp, each token's logits read once and kept in
// registers.
//
// The clear version goes over its row three times, 4 bytes a lane, computes every exponential twice
// and has a warp for each token, also where a quarter of it could hold the row. Here the logits
// come once, 16 bytes a lane where the row allows it, as few lanes as can hold a row share it, and
// there is one division a token: a product with the reciprocal of the sum, which is at least 1, is
// as exact as the bound asks for.
#include <cmath>

#include "../fast/row_in_registers.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

template <class Shape>
__global__ void __launch_bounds__(kThreads)
router_probs_kernel(const float* logits, float* probs, int T, int E) {
  const int lane = threadIdx.x % Shape::kLanes;
  const int token = blockIdx.x * (kThreads / Shape::kLanes) + threadIdx.x / Shape::kLanes;
  const bool live = token < T;  // else the lanes only take part in the shuffles
  const int row = live ? token * E : 0;

  float numbers[Shape::kHeld];  // logits at first, then probabilities
  fast::load_row<Shape>(numbers, logits + row, E, lane, live, -INFINITY);
  fast::softmax_row<Shape>(numbers);
  if (live) fast::store_row<Shape>(probs + row, numbers, E, lane);
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;

  fast::with_row_shape(E, 1, fast::aligned(logits, probs), [=]<class Shape>(Shape) {
    constexpr int kTokens = kThreads / Shape::kLanes;
    router_probs_kernel<Shape>
        <<<(T + kTokens - 1) / kTokens, kThreads, 0, stream>>>(logits, probs, T, E);
  });
}

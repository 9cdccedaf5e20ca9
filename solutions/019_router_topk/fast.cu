// 019 router_topk, fast: several tokens a warp, each token's row read once and kept in registers.
//
// As 014's fast version: the clear one reads its row again for each choice, 4 bytes a lane. Here
// the probabilities come once, 16 bytes a lane where the row allows it, and become whole numbers in
// the same order: a choice is a maximum of integers and a minimum of expert numbers. As few lanes
// as can hold a row share it. The sum is known to every lane, and lane j divides choice j.
#include "../fast/row_in_registers.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;

// Lane j keeps choice j, so K <= lanes.
template <class Shape>
__global__ void __launch_bounds__(kThreads)
router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E, int K) {
  const int lane = threadIdx.x % Shape::kLanes;
  const int token = blockIdx.x * (kThreads / Shape::kLanes) + threadIdx.x / Shape::kLanes;
  const bool live = token < T;  // else the lanes only take part in the shuffles

  float numbers[Shape::kHeld];
  unsigned keys[Shape::kHeld];
  fast::load_row<Shape>(numbers, probs + (live ? token * E : 0), E, lane, live, 0.0f);
  fast::keys_of_row<Shape>(keys, numbers, E, lane, live);

  fast::Pick kept{fast::kNoKey, 0};
  float sum = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    const fast::Pick best = fast::take_largest<Shape>(keys, lane);
    sum += fast::number_of(best.key);
    if (lane == choice) kept = best;
  }

  if (live && lane < K) {
    experts[token * K + lane] = kept.column;
    gates[token * K + lane] = fast::number_of(kept.key) / sum;
  }
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;

  fast::with_row_shape(E, K, fast::aligned(probs), [=]<class Shape>(Shape) {
    constexpr int kTokens = kThreads / Shape::kLanes;
    router_topk_kernel<Shape>
        <<<(T + kTokens - 1) / kTokens, kThreads, 0, stream>>>(probs, experts, gates, T, E, K);
  });
}

// 018 router_probs, fast: several tokens a warp, each token's logits read once and kept in
// registers.
//
// The clear version goes over its row three times, 4 bytes a lane, computes every exponential twice
// and has a warp for each token, also where a quarter of it could hold the row. Here the logits
// come once, 16 bytes a lane where the row allows it, as few lanes as can hold a row share it, and
// there is one division a token: a product with the reciprocal of the sum, which is at least 1, is
// as exact as the bound asks for.
#include <cmath>
#include <cstdint>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr unsigned kAllLanes = 0xffffffffu;

// `lanes` lanes hold a token's row, `held` numbers each, which come in vectors of `width`.
template <int lanes, int held, int width>
__global__ void __launch_bounds__(kThreads)
router_probs_kernel(const float* logits, float* probs, int T, int E) {
  const int lane = threadIdx.x % lanes;
  const int token = blockIdx.x * (kThreads / lanes) + threadIdx.x / lanes;
  const bool live = token < T;  // else the lanes only take part in the shuffles

  float numbers[held];  // logits at first; what is not there weighs nothing
#pragma unroll
  for (int i = 0; i < held; i += width) {
    const int expert = (i / width * lanes + lane) * width;
    const bool there = live && expert < E;  // with width 4, E is a multiple of 4
    if constexpr (width == 4) {
      const float4 four = there ? *reinterpret_cast<const float4*>(logits + token * E + expert)
                                : make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
      numbers[i] = four.x;
      numbers[i + 1] = four.y;
      numbers[i + 2] = four.z;
      numbers[i + 3] = four.w;
    } else {
      numbers[i] = there ? logits[token * E + expert] : -INFINITY;
    }
  }

  float largest = -INFINITY;
#pragma unroll
  for (int i = 0; i < held; ++i) largest = fmaxf(largest, numbers[i]);
#pragma unroll
  for (int bit = lanes / 2; bit > 0; bit /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, bit));
  }
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < held; ++i) {
    numbers[i] = expf(numbers[i] - largest);
    sum += numbers[i];
  }
#pragma unroll
  for (int bit = lanes / 2; bit > 0; bit /= 2) sum += __shfl_xor_sync(kAllLanes, sum, bit);
  const float factor = 1.0f / sum;

#pragma unroll
  for (int i = 0; i < held; i += width) {
    const int expert = (i / width * lanes + lane) * width;
    if (!live || expert >= E) continue;
    if constexpr (width == 4) {
      *reinterpret_cast<float4*>(probs + token * E + expert) =
          make_float4(numbers[i] * factor, numbers[i + 1] * factor, numbers[i + 2] * factor,
                      numbers[i + 3] * factor);
    } else {
      probs[token * E + expert] = numbers[i] * factor;
    }
  }
}

// Calls `launch` with the numbers of the narrowest kernel that holds a row: lanes, numbers a lane.
template <int width, class Launch>
void with_lanes(int E, Launch launch) {
  if (E <= 8 * 8) return launch.template operator()<8, 8, width>();
  if (E <= 16 * 8) return launch.template operator()<16, 8, width>();
  if (E <= 32 * 8) return launch.template operator()<32, 8, width>();
  return launch.template operator()<32, 32, width>();
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace

void router_probs(const float* logits, float* probs, int T, int E, cudaStream_t stream) {
  if (T == 0) return;

  const auto launch = [&]<int lanes, int held, int width>() {
    constexpr int kTokens = kThreads / lanes;
    router_probs_kernel<lanes, held, width>
        <<<(T + kTokens - 1) / kTokens, kThreads, 0, stream>>>(logits, probs, T, E);
  };
  if (E % 4 == 0 && aligned(logits) && aligned(probs)) {
    with_lanes<4>(E, launch);
  } else {
    with_lanes<1>(E, launch);
  }
}

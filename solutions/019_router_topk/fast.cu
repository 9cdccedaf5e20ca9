// 019 router_topk, fast: several tokens a warp, each token's row read once and kept in registers.
//
// As 014's fast version: the clear one reads its row again for each choice, 4 bytes a lane. Here
// the probabilities come once, 16 bytes a lane where the row allows it, and become whole numbers in
// the same order: a choice is a maximum of integers and a minimum of expert numbers. As few lanes
// as can hold a row share it. The sum is known to every lane, and lane j divides choice j.
#include <climits>
#include <cstdint>

#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr unsigned kAllLanes = 0xffffffffu;

// No probability has this key: taken, or not there.
constexpr unsigned kNoKey = 0;

// Of two numbers the larger has the larger key; -0 and +0 share theirs.
__device__ unsigned key_of(float prob) {
  const unsigned bits = __float_as_uint(prob + 0.0f);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

__device__ float prob_of(unsigned key) {
  return __uint_as_float((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}

// `lanes` lanes hold a token's row, `held` probabilities each, which come in vectors of `width`.
// Lane j keeps choice j, so K <= lanes.
template <int lanes, int held, int width>
__global__ void __launch_bounds__(kThreads)
router_topk_kernel(const float* probs, int* experts, float* gates, int T, int E, int K) {
  const int lane = threadIdx.x % lanes;
  const int token = blockIdx.x * (kThreads / lanes) + threadIdx.x / lanes;
  const bool live = token < T;  // else the lanes only take part in the shuffles
  const auto expert_of = [lane](int i) {
    return (i / width * lanes + lane) * width + i % width;  // grows with i
  };

  unsigned keys[held];
#pragma unroll
  for (int i = 0; i < held; i += width) {
    const int expert = expert_of(i);
    const bool there = live && expert < E;  // with width 4, E is a multiple of 4
    if constexpr (width == 4) {
      const float4 four = there ? *reinterpret_cast<const float4*>(probs + token * E + expert)
                                : make_float4(0, 0, 0, 0);
      keys[i] = there ? key_of(four.x) : kNoKey;
      keys[i + 1] = there ? key_of(four.y) : kNoKey;
      keys[i + 2] = there ? key_of(four.z) : kNoKey;
      keys[i + 3] = there ? key_of(four.w) : kNoKey;
    } else {
      keys[i] = there ? key_of(probs[token * E + expert]) : kNoKey;
    }
  }

  float kept_prob = 0.0f;
  int kept_expert = 0;
  float sum = 0.0f;
  for (int choice = 0; choice < K; ++choice) {
    unsigned best = kNoKey;
#pragma unroll
    for (int i = 0; i < held; ++i) best = max(best, keys[i]);
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
      best = max(best, __shfl_xor_sync(kAllLanes, best, bit));
    }
    int expert = INT_MAX;  // the lowest that has it
#pragma unroll
    for (int i = held - 1; i >= 0; --i) expert = keys[i] == best ? expert_of(i) : expert;
#pragma unroll
    for (int bit = lanes / 2; bit > 0; bit /= 2) {
      expert = min(expert, __shfl_xor_sync(kAllLanes, expert, bit));
    }
#pragma unroll
    for (int i = 0; i < held; ++i) keys[i] = expert_of(i) == expert ? kNoKey : keys[i];
    const float prob = prob_of(best);
    sum += prob;
    if (lane == choice) {
      kept_prob = prob;
      kept_expert = expert;
    }
  }

  if (live && lane < K) {
    experts[token * K + lane] = kept_expert;
    gates[token * K + lane] = kept_prob / sum;
  }
}

// Calls `launch` with the numbers of the narrowest kernel that holds a row: lanes, numbers a lane.
template <int width, class Launch>
void with_lanes(int E, int K, Launch launch) {
  if (E <= 8 * 8 && K <= 8) return launch.template operator()<8, 8, width>();
  if (E <= 16 * 8) return launch.template operator()<16, 8, width>();
  if (E <= 32 * 8) return launch.template operator()<32, 8, width>();
  return launch.template operator()<32, 32, width>();
}

}  // namespace

void router_topk(const float* probs, int* experts, float* gates, int T, int E, int K,
                 cudaStream_t stream) {
  if (T == 0) return;

  const auto launch = [&]<int lanes, int held, int width>() {
    constexpr int kTokens = kThreads / lanes;
    router_topk_kernel<lanes, held, width>
        <<<(T + kTokens - 1) / kTokens, kThreads, 0, stream>>>(probs, experts, gates, T, E, K);
  };
  const bool vectors = E % 4 == 0 && reinterpret_cast<std::uintptr_t>(probs) % 16 == 0;
  if (vectors) {
    with_lanes<4>(E, K, launch);
  } else {
    with_lanes<1>(E, K, launch);
  }
}

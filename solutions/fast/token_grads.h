// The last gradients of a layer, in one launch: dX [T,D], from the experts (025) and from the
// router, and dWg [D,E] (020's products). With few experts both products with the logits' gradients
// are done beside what moves dXs: a thread has its columns of Wg in registers, and other blocks of
// the grid add up dWg. With many experts dX_router comes from 020, and is added.
#pragma once

#include <algorithm>

#include "divided_up.h"
#include "vectors.h"

namespace fast {

constexpr int kGradThreads = 256;
constexpr int kGradWarps = kGradThreads / 32;
constexpr int kFewExperts = 16;
constexpr int kMostGradBlocks = 1056;  // eight for each multiprocessor of an H200
constexpr int kWeightBlocks = 132;     // for dWg

struct TokenGrads {
  const float* dXs;
  const int* slot_of_pair;
  const float* dX_router;  // many experts
  const float* X;          // few experts, and the rest
  const float* Wg;
  const float* dlogits;
  float* dWg;
  float* dX;
  int T, D, E, K;
  // The grid: `down` blocks of rows by `across` of columns for dX, `parts` of the tokens by
  // `columns` for dWg.
  int across, down, columns, parts;
};

// Row `at` of a column of packs of Wg: packs of one float, or four rows of Wg.
template <class Pack>
__device__ Pack column_of(const float* Wg, int row, int E, int e);

template <>
__device__ inline float column_of<float>(const float* Wg, int row, int E, int e) {
  return Wg[row * E + e];
}

template <>
__device__ inline float4 column_of<float4>(const float* Wg, int row, int E, int e) {
  const float* const from = Wg + 4 * row * E + e;
  return make_float4(from[0], from[E], from[2 * E], from[3 * E]);
}

// A block has up to kGradThreads packs of columns, or fewer and several rows side by side.
template <class Pack, int kExperts>
__device__ void token_dx(const TokenGrads& grads, int block) {
  constexpr int kFloats = sizeof(Pack) / sizeof(float);
  const auto packs = [](const float* array) { return reinterpret_cast<const Pack*>(array); };
  const int width = grads.D / kFloats;
  const int wide = min(width, kGradThreads), high = kGradThreads / wide;
  const int i = block % grads.across * wide + static_cast<int>(threadIdx.x) % wide;
  const int y = static_cast<int>(threadIdx.x) / wide;
  if (y >= high || i >= width) return;

  Pack weights[kExperts > 0 ? kExperts : 1];
#pragma unroll
  for (int e = 0; e < kExperts; ++e) {
    weights[e] = e < grads.E ? column_of<Pack>(grads.Wg, i, grads.E, e) : filled<Pack>(0.0f);
  }
  for (int t = block / grads.across * high + y; t < grads.T; t += grads.down * high) {
    Pack sum = filled<Pack>(0.0f);
    if constexpr (kExperts == 0) sum = packs(grads.dX_router)[t * width + i];
#pragma unroll 2
    for (int j = 0; j < grads.K; ++j) {
      sum = sum + packs(grads.dXs)[grads.slot_of_pair[t * grads.K + j] * width + i];
    }
#pragma unroll
    for (int e = 0; e < kExperts; ++e) {
      if (e < grads.E) sum = sum + filled<Pack>(grads.dlogits[t * grads.E + e]) * weights[e];
    }
    reinterpret_cast<Pack*>(grads.dX)[t * width + i] = sum;
  }
}

// A warp has 32 columns of X and some tokens of the block's part.
template <int kExperts>
__device__ void token_dwg(const TokenGrads& grads, int block, float* shared) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int d = block % grads.columns * 32 + lane;
  const bool there = d < grads.D;
  float sums[kExperts] = {};
  const int step = grads.parts * kGradWarps;
#pragma unroll 4
  for (int t = block / grads.columns * kGradWarps + warp; t < grads.T; t += step) {
    const float x = there ? grads.X[t * grads.D + d] : 0.0f;
#pragma unroll
    for (int e = 0; e < kExperts; ++e) {
      if (e < grads.E) sums[e] += x * grads.dlogits[t * grads.E + e];
    }
  }
  // [warp][expert][lane], and then a thread adds up over the warps.
#pragma unroll
  for (int e = 0; e < kExperts; ++e) shared[(warp * kExperts + e) * 32 + lane] = sums[e];
  __syncthreads();
  if (!there) return;
  for (int e = warp; e < grads.E; e += kGradWarps) {
    float sum = 0.0f;
    for (int w = 0; w < kGradWarps; ++w) sum += shared[(w * kExperts + e) * 32 + lane];
    atomicAdd(&grads.dWg[d * grads.E + e], sum);
  }
}

// kExperts: the most experts, 0 for many of them.
template <class Pack, int kExperts>
__global__ void __launch_bounds__(kGradThreads)
token_grads_kernel(TokenGrads grads) {
  const int block = static_cast<int>(blockIdx.x), of_dx = grads.across * grads.down;
  if constexpr (kExperts > 0) {
    __shared__ float shared[kGradWarps * kExperts * 32];
    if (block >= of_dx) return token_dwg<kExperts>(grads, block - of_dx, shared);
  }
  token_dx<Pack, kExperts>(grads, block);
}

// The grid's parts, by the sizes.
template <class Pack>
void arrange(TokenGrads& grads) {
  const int width = grads.D / static_cast<int>(sizeof(Pack) / sizeof(float));
  const int wide = std::min(width, kGradThreads), high = kGradThreads / wide;
  grads.across = divided_up(width, wide);
  grads.down = std::clamp(kMostGradBlocks / grads.across, 1, divided_up(grads.T, high));
  grads.columns = divided_up(grads.D, 32);
  grads.parts = std::clamp(kWeightBlocks / grads.columns, 1, divided_up(grads.T, 2 * kGradWarps));
}

inline void token_grads(TokenGrads grads, cudaStream_t stream) {
  if (grads.T == 0) return;
  const auto launch = [&]<class Pack>(Pack) {
    arrange<Pack>(grads);
    const bool few = grads.E <= kFewExperts;
    const int blocks = grads.across * grads.down + (few ? grads.columns * grads.parts : 0);
    const auto kernel = !few           ? token_grads_kernel<Pack, 0>
                        : grads.E <= 8 ? token_grads_kernel<Pack, 8>
                                       : token_grads_kernel<Pack, kFewExperts>;
    kernel<<<blocks, kGradThreads, 0, stream>>>(grads);
  };
  if (grads.D % 4 == 0 && aligned(grads.dXs, grads.dX, grads.dX_router)) {
    launch(float4{});
  } else {
    launch(float{});
  }
}

}  // namespace fast

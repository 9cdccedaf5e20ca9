// What lies between the experts' second product and its gradients, token by token, in one launch: a
// warp has a token, reads the K rows that its experts returned once, and does with them what was
// asked for, of
//   forward   033 and 026: the bias of the experts' rows, and their weighted sum;
//   loss      045 and 046: the mean squared error, and its gradient;
//   backward  027 and 028: gradients of these rows and of the gates;
//   router    044 and 020's row kernel: from the gates, and from the auxiliary loss, to the logits.
#pragma once

#include <algorithm>

#include "last_block.h"
#include "vectors.h"
#include "warp.h"

namespace fast {

constexpr int kTokenThreads = 128;
constexpr int kTokenWarps = kTokenThreads / 32;
constexpr int kMostTokenBlocks = 2112;  // sixteen for each multiprocessor of an H200

static __device__ float token_block_sums[kMostTokenBlocks];
static __device__ unsigned token_blocks_arrived;

// The parts of a pass, to be added up.
constexpr int kForward = 1, kLoss = 2, kBackward = 4, kRouter = 8;

struct TokenPass {
  // Read by all.
  const int* slot_of_pair;
  const int* experts;
  const float* gates;
  int T, D, E, K;
  // Forward: Ys [P,D] gets its bias, out [T,D].
  float* Ys;
  const float* b2;
  float* out;
  // Loss: dOut [T,D] is written, else read.
  const float* target;
  float* dOut;
  float* loss;
  float scale;  // of an error in its gradient: token_pass computes it
  // Backward.
  float* dYs;
  float* dgates;
  // Router: dlogits [T,E].
  const float* probs;
  const float* fractions;
  float aux_alpha;
  float* dlogits;
};

// From the gates' gradients, which every lane has, to the token's logits; by a whole warp.
template <int kMost>
__device__ void token_logits_grad(const TokenPass& pass, int t, const int (&expert)[kMost],
                                  const float (&gate)[kMost], const float (&dgate)[kMost]) {
  const int lane = threadIdx.x % 32;
  const float* const probs = pass.probs + t * pass.E;
  float* const dlogits = pass.dlogits + t * pass.E;
  const float aux = pass.aux_alpha * static_cast<float>(pass.E) / static_cast<float>(pass.T);

  // 016: the gates are the chosen probabilities over their sum.
  float chosen[kMost], dchosen[kMost];
  float sum = 0.0f, of_gates = 0.0f;
#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    chosen[j] = j < pass.K ? probs[expert[j]] : 0.0f;
    sum += chosen[j];
    of_gates += j < pass.K ? dgate[j] * gate[j] : 0.0f;
  }
  float dot = 0.0f;  // of the probabilities with their gradients
  for (int e = lane; e < pass.E; e += 32) dot += probs[e] * (aux * pass.fractions[e]);
  dot = lanes_sum(dot, 32);
#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    dchosen[j] = j < pass.K ? (dgate[j] - of_gates) / sum : 0.0f;
    dot += chosen[j] * dchosen[j];
  }
  for (int e = lane; e < pass.E; e += 32) {
    float gradient = aux * pass.fractions[e];
#pragma unroll
    for (int j = 0; j < kMost; ++j) gradient += j < pass.K && expert[j] == e ? dchosen[j] : 0.0f;
    dlogits[e] = probs[e] * (gradient - dot);
  }
}

// kMost: the most choices, K <= kMost.
template <class Pack, int kMost, int kParts>
__global__ void __launch_bounds__(kTokenThreads)
token_pass_kernel(TokenPass pass) {
  constexpr int kFloats = sizeof(Pack) / sizeof(float);
  const auto packs = [](const float* array) { return reinterpret_cast<const Pack*>(array); };
  const auto to = [](float* array) { return reinterpret_cast<Pack*>(array); };
  const int K = pass.K;
  const int width = pass.D / kFloats;  // packs in a row
  const int lane = threadIdx.x % 32;
  float squares = 0.0f;

  const int warps = static_cast<int>(gridDim.x) * kTokenWarps;
  for (int t = static_cast<int>(blockIdx.x) * kTokenWarps + static_cast<int>(threadIdx.x) / 32;
       t < pass.T; t += warps) {
    int slot[kMost], expert[kMost];
    float gate[kMost];
    Pack dots[kMost];
#pragma unroll
    for (int j = 0; j < kMost; ++j) {
      const bool there = j < K;
      slot[j] = there ? pass.slot_of_pair[t * K + j] : 0;
      expert[j] = there ? pass.experts[t * K + j] : 0;
      gate[j] = there ? pass.gates[t * K + j] : 0.0f;
      dots[j] = filled<Pack>(0.0f);
    }
    for (int i = lane; i < width; i += 32) {
      Pack y[kMost];
      Pack sum = filled<Pack>(0.0f);
#pragma unroll
      for (int j = 0; j < kMost; ++j) {
        if (j < K) y[j] = packs(pass.Ys)[slot[j] * width + i];
      }
      if constexpr ((kParts & kForward) != 0) {
#pragma unroll
        for (int j = 0; j < kMost; ++j) {
          if (j >= K) continue;
          y[j] = y[j] + packs(pass.b2)[expert[j] * width + i];
          sum = sum + filled<Pack>(gate[j]) * y[j];
        }
#pragma unroll
        for (int j = 0; j < kMost; ++j) {
          if (j < K) to(pass.Ys)[slot[j] * width + i] = y[j];
        }
        to(pass.out)[t * width + i] = sum;
      }
      Pack gradient = filled<Pack>(0.0f);
      if constexpr ((kParts & kLoss) != 0) {
        const Pack error = sum - packs(pass.target)[t * width + i];
        squares += sum_of(error * error);
        gradient = filled<Pack>(pass.scale) * error;
        to(pass.dOut)[t * width + i] = gradient;
      } else if constexpr ((kParts & kBackward) != 0) {
        gradient = packs(pass.dOut)[t * width + i];
      }
      if constexpr ((kParts & kBackward) != 0) {
#pragma unroll
        for (int j = 0; j < kMost; ++j) {
          if (j >= K) continue;
          to(pass.dYs)[slot[j] * width + i] = filled<Pack>(gate[j]) * gradient;
          dots[j] = dots[j] + gradient * y[j];
        }
      }
    }
    if constexpr ((kParts & kBackward) != 0) {
      float dgate[kMost];
#pragma unroll
      for (int j = 0; j < kMost; ++j) {
        dgate[j] = j < K ? lanes_sum(sum_of(dots[j]), 32) : 0.0f;
        if (j < K && lane == 0) pass.dgates[t * K + j] = dgate[j];
      }
      if constexpr ((kParts & kRouter) != 0) token_logits_grad<kMost>(pass, t, expert, gate, dgate);
    }
  }

  if constexpr ((kParts & kLoss) != 0) {
    // Every block leaves its sum; the last one to arrive adds them up, in order (045).
    __shared__ float shared[kTokenWarps];
    squares = block_sum(squares, shared);
    if (threadIdx.x == 0) token_block_sums[blockIdx.x] = squares;
    if (!last_to_arrive(&token_blocks_arrived, gridDim.x)) return;
    float sum = 0.0f;
    for (unsigned block = threadIdx.x; block < gridDim.x; block += kTokenThreads) {
      sum += __ldcg(&token_block_sums[block]);
    }
    sum = block_sum(sum, shared);
    const float n = static_cast<float>(pass.T) * static_cast<float>(pass.D);
    if (threadIdx.x == 0) *pass.loss = pass.T > 0 ? sum / n : 0.0f;
  }
}

template <int kParts>
void token_pass(TokenPass pass, cudaStream_t stream) {
  if (pass.T == 0 && (kParts & kLoss) == 0) return;
  // In double: from 2^24 on a float cannot hold every number of elements.
  pass.scale = static_cast<float>(2.0 / (static_cast<double>(pass.T) * pass.D));
  // One block at least: it writes the loss.
  const int blocks = std::clamp((pass.T + kTokenWarps - 1) / kTokenWarps, 1, kMostTokenBlocks);
  const auto launch = [&]<class Pack>(Pack) {
    const auto kernel = pass.K <= 1   ? token_pass_kernel<Pack, 1, kParts>
                        : pass.K <= 2 ? token_pass_kernel<Pack, 2, kParts>
                        : pass.K <= 4 ? token_pass_kernel<Pack, 4, kParts>
                        : pass.K <= 8 ? token_pass_kernel<Pack, 8, kParts>
                                      : token_pass_kernel<Pack, 16, kParts>;
    kernel<<<blocks, kTokenThreads, 0, stream>>>(pass);
  };
  if (pass.D % 4 == 0 && aligned(pass.Ys, pass.b2, pass.out, pass.target, pass.dOut, pass.dYs)) {
    launch(float4{});
  } else {
    launch(float{});
  }
}

}  // namespace fast

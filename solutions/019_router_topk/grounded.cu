// The grounded router in one launch: scores = logits + alpha X G^T, the two best of each token, and
// their softmax.
//
// It reads each token and its logits once, and writes four numbers: at T = 4,096, D = 128, E = 16
// that is 2.4 MB, less than a microsecond of a large GPU's memory. What it takes beyond that is a
// launch and a few latencies, one behind the other: its floor is the time of an empty kernel. So
// everything that a block needs is asked for at once, and no score leaves the registers: a block
// has 16 tokens, a token has 16 lanes, lane i the experts i, i + 16, ...; the descriptions G and
// the tokens come to shared memory 128 columns at a time, and are read from there four numbers a
// load.
#include <climits>
#include <cmath>
#include <cstdint>

#include "../fast/warp.h"
#include "moe/examples.h"

namespace {

constexpr int kLanes = 16;  // of a token
constexpr int kTokens = 16;
constexpr int kThreads = kLanes * kTokens;
constexpr int kColumns = 128;
constexpr int kRow = kColumns + 4;  // so that rows begin in different banks

struct Candidate {
  float score;
  int expert;
};

__device__ bool before(Candidate a, Candidate b) {
  return a.score > b.score || (a.score == b.score && a.expert < b.expert);
}

// The two best so far, in order.
struct Two {
  Candidate first = {-INFINITY, INT_MAX};
  Candidate second = {-INFINITY, INT_MAX};

  __device__ void take(Candidate candidate) {
    if (before(candidate, first)) {
      second = first;
      first = candidate;
    } else if (before(candidate, second)) {
      second = candidate;
    }
  }
};

// `count` rows of `matrix` [rows, cols] from row `row` on, kColumns of their columns from `column`
// on; what is not there becomes 0.
template <int count, int width>
__device__ void copy_rows(float* to, const float* matrix, int row, int column, int rows, int cols) {
  constexpr int kOfRow = kColumns / width;
#pragma unroll
  for (int i = threadIdx.x; i < count * kOfRow; i += kThreads) {
    const int r = i / kOfRow;
    const int c = i % kOfRow * width;
    const bool there = row + r < rows && column + c < cols;
    const int at = there ? (row + r) * cols + column + c : 0;
    if constexpr (width == 4) {
      *reinterpret_cast<float4*>(to + r * kRow + c) =
          there ? *reinterpret_cast<const float4*>(matrix + at) : make_float4(0, 0, 0, 0);
    } else {
      to[r * kRow + c] = there ? matrix[at] : 0.0f;
    }
  }
}

template <int width>
__global__ void __launch_bounds__(kThreads)
grounded_kernel(const float* logits, const float* X, const float* G, float alpha, float* out, int T,
                int D, int E) {
  __shared__ __align__(16) float tokens[kTokens * kRow];
  __shared__ __align__(16) float descriptions[kLanes * kRow];
  const int lane = threadIdx.x % kLanes;
  const int own = threadIdx.x / kLanes;
  const int token = blockIdx.x * kTokens + own;
  const bool live = token < T;

  Two best;
  for (int first = 0; first < E; first += kLanes) {
    const int expert = first + lane;
    const bool there = live && expert < E;
    const float logit = there ? logits[token * E + expert] : 0.0f;  // on its way early
    float dot = 0.0f;
    for (int column = 0; column < D; column += kColumns) {
      if (column > 0 || first > 0) __syncthreads();  // everybody has read the last part
      copy_rows<kTokens, width>(tokens, X, blockIdx.x * kTokens, column, T, D);
      copy_rows<kLanes, width>(descriptions, G, first, column, E, D);
      __syncthreads();
      const int end = min(kColumns, D - column);
#pragma unroll 8
      for (int c = 0; c < end; c += 4) {  // beyond D both hold zeros
        const float4 x = *reinterpret_cast<const float4*>(tokens + own * kRow + c);
        const float4 g = *reinterpret_cast<const float4*>(descriptions + lane * kRow + c);
        dot = fmaf(x.x, g.x, dot);
        dot = fmaf(x.y, g.y, dot);
        dot = fmaf(x.z, g.z, dot);
        dot = fmaf(x.w, g.w, dot);
      }
    }
    if (there) best.take({logit + alpha * dot, expert});
  }

  // Two lanes that meet have different experts; each adds the other's two to its own.
#pragma unroll
  for (int bit = kLanes / 2; bit > 0; bit /= 2) {
    const Candidate first = {__shfl_xor_sync(fast::kAllLanes, best.first.score, bit),
                             __shfl_xor_sync(fast::kAllLanes, best.first.expert, bit)};
    const Candidate second = {__shfl_xor_sync(fast::kAllLanes, best.second.score, bit),
                              __shfl_xor_sync(fast::kAllLanes, best.second.expert, bit)};
    best.take(first);
    best.take(second);
  }
  if (!live || lane != 0) return;

  const float ratio =
      best.first.score == best.second.score ? 1.0f : expf(best.second.score - best.first.score);
  const float4 row = make_float4(static_cast<float>(best.first.expert), 1.0f / (1.0f + ratio),
                                 static_cast<float>(best.second.expert), ratio / (1.0f + ratio));
  float* const to = out + token * 4;
  if constexpr (width == 4) {
    *reinterpret_cast<float4*>(to) = row;
  } else {
    to[0] = row.x;
    to[1] = row.y;
    to[2] = row.z;
    to[3] = row.w;
  }
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace

void grounded_router(const float* logits, const float* X, const float* G, float alpha, float* out,
                     int T, int D, int E, cudaStream_t stream) {
  if (T == 0) return;
  const auto kernel = D % 4 == 0 && aligned(X) && aligned(G) && aligned(out) ? grounded_kernel<4>
                                                                             : grounded_kernel<1>;
  kernel<<<(T + kTokens - 1) / kTokens, kThreads, 0, stream>>>(logits, X, G, alpha, out, T, D, E);
}

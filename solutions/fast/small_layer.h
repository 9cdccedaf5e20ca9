// A step of a small layer in eight launches, where a launch takes as long as its arithmetic. The
// products are those of small_product.h, and each does what stands before and behind it: rows are
// gathered as they are read, biases and activations are taken on the way out, and what depends on
// the same results shares a launch, each block having one of several things to do.
#pragma once

#include "activation_grads.h"
#include "layer.h"
#include "relu.h"
#include "small_product.h"

namespace fast {

// ---- The router: 017 before 018 ----

// A row's logits, from X and Wg. Every lane has its columns, as those of a row in memory. The
// gradient of Wg begins at 0 here.
struct RouterProduct {
  const float* X;
  const float* Wg;
  float* logits;
  float* dWg;
  int D, E;

  __device__ void begin() const {
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < D * E; i += threads) {
      dWg[i] = 0.0f;
    }
  }

  template <class Shape>
  __device__ void load(float (&numbers)[Shape::kHeld], int token, int, int lane, bool live) const {
#pragma unroll
    for (float& number : numbers) number = 0.0f;
#pragma unroll 4
    for (int d = 0; d < D; d += 4) {
      float x[4];
      fast::load<4>(x, X + token * D + d);
#pragma unroll
      for (int i = 0; i < Shape::kHeld; ++i) {
        const int e = Shape::column(lane, i);
        if (e >= E) continue;
#pragma unroll
        for (int k = 0; k < 4; ++k) numbers[i] += x[k] * Wg[(d + k) * E + e];
      }
    }
#pragma unroll
    for (int i = 0; i < Shape::kHeld; ++i) {
      const int e = Shape::column(lane, i);
      const bool there = live && e < E;
      if (there) logits[token * E + e] = numbers[i];
      numbers[i] = there ? numbers[i] : -INFINITY;
    }
  }
};

// ---- Tiles of rows ----

// The rows of an expert, of which a block has those from `first` on.
struct RowTile {
  int expert, begin, rows, first;
};

// Tiles are numbered expert by expert; P / kSide + E numbers are enough, and some are too many.
__device__ inline bool find_row_tile(const int* offsets, int E, int number, RowTile& tile) {
  int begin = offsets[0];
  for (int e = 0; e < E; ++e) {
    const int end = offsets[e + 1];
    const int tiles = (end - begin + kSide - 1) / kSide;
    if (number < tiles) {
      tile = {e, begin, end - begin, number * kSide};
      return true;
    }
    number -= tiles;
    begin = end;
  }
  return false;
}

inline int row_tiles(int P, int E) {
  return P / kSide + E;
}

// ---- Forward ----

struct SmallLayer {
  MoeConfig config;
  MoeParams params;
  MoeParams grads;
  MoeWorkspace ws;
  const float* X;
  float* dX;
};

// The tokens of an expert's slots.
struct GatheredRows {
  const float* from;
  const int* pair_of_slot;  // of the expert's first slot
  int rows, cols, K;
  __device__ const float* row(int r) const { return from + pair_of_slot[r] / K * cols; }
};

template <class Function>
struct FinishHidden {
  const float* b1;  // of the expert
  float* Z;         // of the expert's rows
  float* A;
  int H;
  __device__ void four(int r, int h, float4 sum) const {
    const float4 z = sum + load4(b1 + h);
    const Function function;
    store4(Z + r * H + h, z);
    store4(A + r * H + h, make_float4(function(z.x), function(z.y), function(z.z), function(z.w)));
  }
};

// 024, 029 to 031.
template <class Function>
__global__ void __launch_bounds__(kSmallThreads)
small_up_kernel(SmallLayer layer) {
  __shared__ alignas(16) float shared[kSmallFloats];
  const auto [T, D, H, E, K, activation, aux_alpha] = layer.config;
  const MoeWorkspace& ws = layer.ws;
  const int across = (H + kSide - 1) / kSide, block = static_cast<int>(blockIdx.x);
  RowTile tile;
  if (!find_row_tile(ws.offsets, E, block / across, tile)) return;
  const GatheredRows rows{layer.X, ws.pair_of_slot + tile.begin, tile.rows, D, K};
  if (block % across == 0) {
    const int fours = D / 4, last = min(tile.rows - tile.first, kSide);
    for (int i = static_cast<int>(threadIdx.x); i < last * fours; i += kSmallThreads) {
      const int r = tile.first + i / fours, d = i % fours * 4;
      store4(ws.Xs + (tile.begin + r) * D + d, load4(rows.row(r) + d));
    }
  }
  const Matrix W1{layer.params.W1 + tile.expert * D * H, D, H};
  const FinishHidden<Function> finish{layer.params.b1 + tile.expert * H, ws.Z + tile.begin * H,
                                      ws.A + tile.begin * H, H};
  small_product<Along, Across, false>(shared, rows, W1, tile.first, block % across * kSide,
                                      tile.rows, H, D, finish);
}

struct StoreFours {
  float* to;
  int cols;
  __device__ void four(int r, int c, float4 sum) const { store4(to + r * cols + c, sum); }
};

// 032.
static __global__ void __launch_bounds__(kSmallThreads)
small_down_kernel(SmallLayer layer) {
  __shared__ alignas(16) float shared[kSmallFloats];
  const int D = layer.config.D, H = layer.config.H, across = (D + kSide - 1) / kSide;
  const int block = static_cast<int>(blockIdx.x);
  RowTile tile;
  if (!find_row_tile(layer.ws.offsets, layer.config.E, block / across, tile)) return;
  const Matrix rows{layer.ws.A + tile.begin * H, tile.rows, H};
  const Matrix W2{layer.params.W2 + tile.expert * H * D, H, D};
  small_product<Along, Across, false>(shared, rows, W2, tile.first, block % across * kSide,
                                      tile.rows, D, H, StoreFours{layer.ws.Ys + tile.begin * D, D});
}

// ---- Backward ----

template <class Function>
struct FinishHiddenGrad {
  const float* Z;
  float* dZ;
  int H;
  __device__ void four(int r, int h, float4 sum) const {
    const float4 z = load4(Z + r * H + h);
    const Function function;
    store4(dZ + r * H + h, make_float4(function(z.x, sum.x), function(z.y, sum.y),
                                       function(z.z, sum.z), function(z.w, sum.w)));
  }
};

// 037 and 038.
template <class Function>
__global__ void __launch_bounds__(kSmallThreads)
small_hidden_grad_kernel(SmallLayer layer) {
  __shared__ alignas(16) float shared[kSmallFloats];
  const int D = layer.config.D, H = layer.config.H, across = (H + kSide - 1) / kSide;
  const int block = static_cast<int>(blockIdx.x);
  RowTile tile;
  if (!find_row_tile(layer.ws.offsets, layer.config.E, block / across, tile)) return;
  const Matrix rows{layer.ws.dYs + tile.begin * D, tile.rows, D};
  const Matrix W2{layer.params.W2 + tile.expert * H * D, H, D};
  const FinishHiddenGrad<Function> finish{layer.ws.Z + tile.begin * H, layer.ws.dZ + tile.begin * H,
                                          H};
  small_product<Along, Along, false>(shared, rows, W2, tile.first, block % across * kSide,
                                     tile.rows, H, D, finish);
}

struct FinishWeights {
  float* dW;
  float* db;
  int cols;
  bool first;  // the first row of tiles sees every column
  __device__ void four(int r, int c, float4 sum) const { store4(dW + r * cols + c, sum); }
  __device__ void column(int c, float sum) const {
    if (first) db[c] = sum;
  }
};

// Weights of expert e: in^T dout. An expert without rows gets zeros.
__device__ inline void small_weight_grads(float* shared, const float* in, const float* dout,
                                          const int* offsets, float* dW, float* db, int M, int N,
                                          int block) {
  const int down = (M + kSide - 1) / kSide, across = (N + kSide - 1) / kSide;
  const int e = block / (down * across), row = block / across % down * kSide;
  const int begin = offsets[e], rows = offsets[e + 1] - begin;
  const FinishWeights finish{dW + e * M * N, db + e * N, N, row == 0};
  small_product<Across, Across, true>(shared, Matrix{in + begin * M, rows, M},
                                      Matrix{dout + begin * N, rows, N}, row,
                                      block % across * kSide, M, N, rows, finish);
}

// Gradients of rows, of the experts' parameters, of the router's, and of the tokens by the router:
// the blocks of each, one after the other. router: as for token_grads, of its launch.
struct GradBlocks {
  int rows, weights, router_rows, router_weights;
};

static __global__ void __launch_bounds__(kSmallThreads)
small_grads_kernel(SmallLayer layer, GradBlocks blocks, TokenGrads router) {
  __shared__ alignas(16) float shared[kSmallFloats];
  static_assert(kSmallFloats >= kGradWarps * kFewExperts * 32 && kSmallThreads == kGradThreads);
  const int D = layer.config.D, H = layer.config.H, E = layer.config.E;
  const MoeWorkspace& ws = layer.ws;
  int block = static_cast<int>(blockIdx.x);
  if (block < blocks.rows) {
    const int across = (D + kSide - 1) / kSide;
    RowTile tile;
    if (!find_row_tile(ws.offsets, E, block / across, tile)) return;
    const Matrix rows{ws.dZ + tile.begin * H, tile.rows, H};
    const Matrix W1{layer.params.W1 + tile.expert * D * H, D, H};
    return small_product<Along, Along, false>(shared, rows, W1, tile.first, block % across * kSide,
                                              tile.rows, D, H,
                                              StoreFours{ws.dXs + tile.begin * D, D});
  }
  block -= blocks.rows;
  if (block < blocks.weights) {
    return small_weight_grads(shared, ws.A, ws.dYs, ws.offsets, layer.grads.W2, layer.grads.b2, H,
                              D, block);
  }
  block -= blocks.weights;
  if (block < blocks.weights) {
    return small_weight_grads(shared, ws.Xs, ws.dZ, ws.offsets, layer.grads.W1, layer.grads.b1, D,
                              H, block);
  }
  block -= blocks.weights;
  if (block < blocks.router_rows) return token_dx<float4, kFewExperts>(router, block);
  token_dwg<kFewExperts>(router, block - blocks.router_rows, shared);
}

// dX from the experts' part and the router's; and the update, which needs no more of the old Wg.
static __global__ void __launch_bounds__(kGradThreads)
small_last_kernel(TokenGrads tokens, ParamBlocks params, float lr) {
  static_assert(kGradThreads == kParamThreads);
  const int block = static_cast<int>(blockIdx.x), of_tokens = tokens.across * tokens.down;
  if (block < of_tokens) {
    token_dx<float4, 0>(tokens, block);
  } else {
    for_params(params, static_cast<unsigned>(block - of_tokens), UpdateParams{lr});
  }
}

// ---- The step ----

constexpr long long kSmallWork = 1 << 26;  // terms of a product: above, its time counts
constexpr int kSmallWidth = 512;

inline bool is_small(const MoeConfig& config, const MoeParams& params, const MoeParams& grads,
                     const float* X, const float* target, const MoeWorkspace& ws, const float* out,
                     const float* dOut, const float* dX) {
  const auto [T, D, H, E, K, activation, aux_alpha] = config;
  return T > 0 && E <= kFewExperts && K <= 8 && D <= kSmallWidth && D % 4 == 0 && H % 4 == 0 &&
         static_cast<long long>(T) * K * D * H <= kSmallWork &&
         aligned(params.W1, params.b1, params.W2, params.b2, grads.W1, grads.W2) &&
         aligned(X, target, out, dOut, dX, ws.Xs, ws.Z, ws.A, ws.Ys) &&
         aligned(ws.dYs, ws.dZ, ws.dXs, ws.dX_router);
}

template <class Function, class Grad>
void small_step(const SmallLayer& layer, const float* target, float* out, float* dOut, float lr,
                cudaStream_t stream) {
  const auto [T, D, H, E, K, activation, aux_alpha] = layer.config;
  MoeWorkspace ws = layer.ws;
  const Routes routes = routes_in(ws);
  using Shape = RowShape<8, kFewExperts / 8, 1>;
  const RouterProduct router{layer.X, layer.params.Wg, ws.logits, layer.grads.Wg, D, E};
  const RouteTiles tiles = choose<Shape, 256, true>(router, routes, T, E, K, stream);
  place<true>(tiles, routes, route_loss_in(ws, aux_alpha), T, E, K, stream);

  const int down = row_tiles(T * K, E), wide = divided_up(H, kSide), narrow = divided_up(D, kSide);
  small_up_kernel<Function><<<down * wide, kSmallThreads, 0, stream>>>(layer);
  small_down_kernel<<<down * narrow, kSmallThreads, 0, stream>>>(layer);
  layer_at_tokens<kForward | kLoss | kBackward>(layer.config, layer.params, target, ws, out, dOut,
                                                stream);
  small_hidden_grad_kernel<Grad><<<down * wide, kSmallThreads, 0, stream>>>(layer);

  TokenGrads by_router = token_grads_of(layer.config, layer.params, layer.X, ws, layer.grads);
  by_router.dX = ws.dX_router;
  by_router.K = 0;  // the experts' part comes later
  arrange<float4>(by_router);
  const GradBlocks blocks{down * narrow, E * wide * narrow, by_router.across * by_router.down,
                          by_router.columns * by_router.parts};
  small_grads_kernel<<<blocks.rows + 2 * blocks.weights + blocks.router_rows +
                           blocks.router_weights,
                       kSmallThreads, 0, stream>>>(layer, blocks, by_router);

  TokenGrads last = by_router;
  last.dX = layer.dX;
  last.K = K;
  const ParamBlocks params(layer.params, layer.grads, layer.config);
  small_last_kernel<<<last.across * last.down + params.blocks(), kGradThreads, 0, stream>>>(
      last, params, lr);
}

}  // namespace fast

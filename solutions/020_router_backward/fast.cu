// 020 router_backward, fast: a row kernel that reads its row once, and two products from registers.
//
// The clear version writes the row's gradient to memory and reads it back three times, and its
// products (002, 003) load two numbers from memory for each term. Here several tokens share a warp
// and their rows stay in registers. In the products a thread has 8 x 8 results, from 16 numbers of
// shared memory for 64 terms; chunks are copied ahead. dWg has few elements and long sums, over all
// tokens: the tokens are cut into parts, a block each, which add to dWg by atomics. It is
// accumulated anyway; only the order of these few additions changes from run to run.
#include <algorithm>

#include "../fast/copy_ahead.h"
#include "../fast/row_in_registers.h"
#include "moe/kernels.h"

namespace {

// ---- From the gates to the logits ----

constexpr int kRowThreads = 256;

// Lane j has choice j, so K <= lanes.
template <class Shape>
__global__ void __launch_bounds__(kRowThreads)
rows_kernel(const float* probs, const int* experts, const float* dgates, const float* dprobs_aux,
            float* dlogits, int T, int E, int K) {
  const int lane = threadIdx.x % Shape::kLanes;
  const int token = blockIdx.x * (kRowThreads / Shape::kLanes) + threadIdx.x / Shape::kLanes;
  const bool live = token < T;  // else the lanes only take part in the shuffles
  const int row = live ? token * E : 0;

  float p[Shape::kHeld];
  float d[Shape::kHeld];
  fast::load_row<Shape>(p, probs + row, E, lane, live, 0.0f);
  const bool has_aux = live && dprobs_aux != nullptr;
  fast::load_row<Shape>(d, has_aux ? dprobs_aux + row : probs, E, lane, has_aux, 0.0f);

  // From the gates to the chosen probabilities (016).
  const bool has_choice = live && lane < K;
  const int expert = has_choice ? experts[token * K + lane] : 0;
  const float chosen = has_choice ? probs[token * E + expert] : 0.0f;
  const float dgate = has_choice ? dgates[token * K + lane] : 0.0f;
  const float sum = fast::lanes_sum(chosen, Shape::kLanes);
  const float gates_dot =
      fast::lanes_sum(has_choice ? dgate * (chosen / sum) : 0.0f, Shape::kLanes);
  const float dchosen = has_choice ? (dgate - gates_dot) / sum : 0.0f;

  // To the lane that holds the expert.
  for (int choice = 0; choice < K; ++choice) {
    const int its_expert = __shfl_sync(fast::kAllLanes, expert, choice, Shape::kLanes);
    const float its_gradient = __shfl_sync(fast::kAllLanes, dchosen, choice, Shape::kLanes);
#pragma unroll
    for (int i = 0; i < Shape::kHeld; ++i) {
      d[i] += Shape::column(lane, i) == its_expert ? its_gradient : 0.0f;
    }
  }

  // From the probabilities to the logits (013).
  float dot = 0.0f;
#pragma unroll
  for (int i = 0; i < Shape::kHeld; ++i) dot += p[i] * d[i];
  dot = fast::lanes_sum(dot, Shape::kLanes);
#pragma unroll
  for (int i = 0; i < Shape::kHeld; ++i) d[i] = p[i] * (d[i] - dot);
  if (live) fast::store_row<Shape>(dlogits + row, d, E, lane);
}

void launch_rows(const float* probs, const int* experts, const float* dgates,
                 const float* dprobs_aux, float* dlogits, int T, int E, int K,
                 cudaStream_t stream) {
  const bool vectors = fast::aligned(probs, dprobs_aux, dlogits);
  fast::with_row_shape(E, K, vectors, [=]<class Shape>(Shape) {
    constexpr int kTokens = kRowThreads / Shape::kLanes;
    rows_kernel<Shape><<<(T + kTokens - 1) / kTokens, kRowThreads, 0, stream>>>(
        probs, experts, dgates, dprobs_aux, dlogits, T, E, K);
  });
}

// ---- The two products ----

constexpr int kThreads = 128;  // 16 along the rows x 8 along the columns
constexpr int kAlongRows = 16;
constexpr int kAlongColumns = 8;
constexpr int kEach = 8;  // a thread has 8 x 8 results
constexpr int kRows = kEach * kAlongRows;
constexpr int kColumns = kEach * kAlongColumns;

// `height` rows of `length` floats to shared memory, `pitch` floats apart: those of the matrix
// [rows, cols] from its element [row, col] on.
template <int height, int length, int pitch, int width>
__device__ void copy_tile(float* to, const float* matrix, int row, int col, int rows, int cols) {
  constexpr int kOfRow = length / width;
#pragma unroll
  for (int i = threadIdx.x; i < height * kOfRow; i += kThreads) {
    const int r = i / kOfRow;
    const int c = i % kOfRow * width;
    const bool there = row + r < rows && col + c < cols;
    fast::copy_ahead<width>(to + r * pitch + c,
                            there ? matrix + (row + r) * cols + col + c : matrix, there);
  }
}

using Sums = float[kEach][kEach];

__device__ void multiply_add(Sums& sums, const float (&a)[kEach], const float (&b)[kEach]) {
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
#pragma unroll
    for (int j = 0; j < kEach; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
  }
}

constexpr int kExperts = 32;        // of a chunk
constexpr int kRow = kExperts + 4;  // so that rows begin in different banks

// dX = dlogits Wg^T: both operands lie along the sum, so a thread reads four terms of a row at a
// time.
template <int width>
__global__ void __launch_bounds__(kThreads)
dx_kernel(const float* dlogits, const float* Wg, float* dX, int T, int D, int E) {
  __shared__ __align__(16) float of_tokens[kRows * kRow];
  __shared__ __align__(16) float of_weights[kColumns * kRow];
  const int x = threadIdx.x % kAlongColumns;
  const int y = threadIdx.x / kAlongColumns;
  const int tiles_of_row = (D + kColumns - 1) / kColumns;  // all in x: a grid's y is short
  const int token = blockIdx.x / tiles_of_row * kRows;
  const int column = blockIdx.x % tiles_of_row * kColumns;
  const bool has_results = token + y < T && column + x < D;

  Sums sums = {};
  for (int first = 0; first < E; first += kExperts) {
    copy_tile<kRows, kExperts, kRow, width>(of_tokens, dlogits, token, first, T, E);
    copy_tile<kColumns, kExperts, kRow, width>(of_weights, Wg, column, first, D, E);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int end = has_results ? min(kExperts, E - first) : 0;
#pragma unroll 2
    for (int e = 0; e < end; e += 4) {
      float a[kEach][4];
      float b[kEach][4];
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        fast::load<4>(a[i], of_tokens + (y + i * kAlongRows) * kRow + e);
        fast::load<4>(b[i], of_weights + (x + i * kAlongColumns) * kRow + e);
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < kEach; ++i) {
#pragma unroll
          for (int j = 0; j < kEach; ++j) sums[i][j] = fmaf(a[i][k], b[j][k], sums[i][j]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int t = token + y + i * kAlongRows;
    if (t >= T) continue;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int d = column + x + j * kAlongColumns;
      if (d < D) dX[t * D + d] = sums[i][j];
    }
  }
}

constexpr int kTokens = 16;  // of a chunk
constexpr int kStages = 3;

// dWg += X^T dlogits, over the tokens of this block's part: the terms of a sum lie below each
// other, so a thread reads neighbouring results' operands.
template <int width>
__global__ void __launch_bounds__(kThreads)
dwg_kernel(const float* X, const float* dlogits, float* dWg, int T, int D, int E,
           int chunks_of_part) {
  __shared__ __align__(16) float of_x[kStages][kTokens * kRows];
  __shared__ __align__(16) float of_dlogits[kStages][kTokens * kColumns];
  const int x = threadIdx.x % kAlongColumns;
  const int y = threadIdx.x / kAlongColumns;
  const int row = blockIdx.x * kRows;
  const int column = blockIdx.y * kColumns;
  const bool has_results = row + 4 * y < D && column + 4 * x < E;
  const int begin = blockIdx.z * chunks_of_part * kTokens;
  const int chunks = min(chunks_of_part, (T - begin + kTokens - 1) / kTokens);

  const auto fill = [&](int chunk) {
    const int token = begin + chunk * kTokens;
    const int stage = chunk % kStages;
    copy_tile<kTokens, kRows, kRows, width>(of_x[stage], X, token, row, T, D);
    copy_tile<kTokens, kColumns, kColumns, width>(of_dlogits[stage], dlogits, token, column, T, E);
  };
  // One commit for each stage, also where no tokens are left: waiting counts them.
  for (int chunk = 0; chunk < kStages - 1; ++chunk) {
    if (chunk < chunks) fill(chunk);
    __pipeline_commit();
  }
  Sums sums = {};
  for (int chunk = 0; chunk < chunks; ++chunk) {
    __pipeline_wait_prior(kStages - 2);
    __syncthreads();  // this chunk is there, and the one before has been read by everybody
    if (chunk + kStages - 1 < chunks) fill(chunk + kStages - 1);
    __pipeline_commit();
    if (!has_results) continue;  // to the next barrier
    const float* const a_stage = of_x[chunk % kStages] + 4 * y;
    const float* const b_stage = of_dlogits[chunk % kStages] + 4 * x;
#pragma unroll 4
    for (int t = 0; t < kTokens; ++t) {
      float a[kEach];
      float b[kEach];
      fast::load<4>(a, a_stage + t * kRows);
      fast::load<4>(a + 4, a_stage + t * kRows + kRows / 2);
      fast::load<4>(b, b_stage + t * kColumns);
      fast::load<4>(b + 4, b_stage + t * kColumns + kColumns / 2);
      multiply_add(sums, a, b);
    }
  }

#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int d = row + i / 4 * (kRows / 2) + 4 * y + i % 4;
    if (d >= D) continue;
#pragma unroll
    for (int j = 0; j < kEach; ++j) {
      const int e = column + j / 4 * (kColumns / 2) + 4 * x + j % 4;
      if (e < E) atomicAdd(&dWg[d * E + e], sums[i][j]);
    }
  }
}

// As many blocks as a large GPU runs at the same time.
constexpr int kBlocks = 264;

int divided_up(int a, int b) {
  return (a - 1) / b + 1;
}

void launch_dwg(const float* X, const float* dlogits, float* dWg, int T, int D, int E,
                cudaStream_t stream) {
  const int chunks = divided_up(T, kTokens);
  const int tiles = divided_up(D, kRows) * divided_up(E, kColumns);
  const int parts = std::clamp(kBlocks / tiles, 1, divided_up(chunks, 8));
  const int chunks_of_part = divided_up(chunks, parts);
  const dim3 grid(divided_up(D, kRows), divided_up(E, kColumns),
                  divided_up(chunks, chunks_of_part));
  const bool vectors = D % 4 == 0 && E % 4 == 0 && fast::aligned(X, dlogits);
  const auto kernel = vectors ? dwg_kernel<4> : dwg_kernel<1>;
  kernel<<<grid, kThreads, 0, stream>>>(X, dlogits, dWg, T, D, E, chunks_of_part);
}

void launch_dx(const float* dlogits, const float* Wg, float* dX, int T, int D, int E,
               cudaStream_t stream) {
  const int grid = divided_up(T, kRows) * divided_up(D, kColumns);
  const auto kernel = E % 4 == 0 && fast::aligned(dlogits, Wg) ? dx_kernel<4> : dx_kernel<1>;
  kernel<<<grid, kThreads, 0, stream>>>(dlogits, Wg, dX, T, D, E);
}

}  // namespace

void router_backward(const float* X, const float* Wg, const float* probs, const int* experts,
                     const float* dgates, const float* dprobs_aux, float* dlogits, float* dWg,
                     float* dX, int T, int D, int E, int K, cudaStream_t stream) {
  if (T == 0) return;

  launch_rows(probs, experts, dgates, dprobs_aux, dlogits, T, E, K, stream);
  launch_dwg(X, dlogits, dWg, T, D, E, stream);
  launch_dx(dlogits, Wg, dX, T, D, E, stream);
}

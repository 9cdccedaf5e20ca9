// mistake: sixteen-bits
// why: Tokens are numbered in 16 bits, so token 65,536 is taken for token 0.
// rejected-for: value
// rejected-on: both
#include "moe/kernels.h"

namespace {

constexpr int kTokens = 32;  // of a block: its threads' y
constexpr int kExperts = 8;  // of a block: its threads' x
constexpr int kChunk = 32;   // columns of X staged at a time

__global__ void router_logits_kernel(const float* X, const float* Wg, float* logits, int T, int D,
                                     int E) {
  // Rows are one float longer than they need to be: lesson 037 says why.
  __shared__ float chunk[kTokens][kChunk + 1];

  const unsigned short first = blockIdx.x * kTokens;  // the block's first token
  const int token = first + threadIdx.y;
  const int expert = blockIdx.y * kExperts + threadIdx.x;
  const int thread = threadIdx.y * kExperts + threadIdx.x;

  // Nobody returns early: a thread without an output still stages, and still meets the barriers.
  float sum = 0.0f;
  for (int begin = 0; begin < D; begin += kChunk) {
    const int columns = min(kChunk, D - begin);  // of this chunk: the last one may be narrower

    // Flat over the chunk, so that a warp's 32 loads lie along one row of X.
    for (int i = thread; i < kTokens * kChunk; i += kTokens * kExperts) {
      const int row = i / kChunk;
      const int col = i % kChunk;
      if (first + row < T && col < columns) {
        chunk[row][col] = X[(first + row) * D + begin + col];
      }
    }
    __syncthreads();  // the whole chunk is there before anybody reads it

    if (token < T && expert < E) {
      for (int k = 0; k < columns; ++k) {
        sum += chunk[threadIdx.y][k] * Wg[(begin + k) * E + expert];
      }
    }
    __syncthreads();  // everybody has read the chunk before the next one replaces it
  }

  if (token < T && expert < E) logits[token * E + expert] = sum;
}

}  // namespace

void router_logits(const float* X, const float* Wg, float* logits, int T, int D, int E,
                   cudaStream_t stream) {
  if (T == 0) return;

  // Tokens lie along the grid's x (004), experts along its y: 1,024 of them are 128 blocks.
  const dim3 block(kExperts, kTokens);
  const dim3 grid((T + kTokens - 1) / kTokens, (E + kExperts - 1) / kExperts);
  router_logits_kernel<<<grid, block, 0, stream>>>(X, Wg, logits, T, D, E);
}

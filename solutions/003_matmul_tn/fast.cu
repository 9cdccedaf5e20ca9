// 003 matmul_tn, fast: tiles from shared memory and registers as in 001; no operand is turned.
//
// Both operands lie step by step, as the tiles in shared memory do: they are copied 16 bytes at a
// time where addresses and sizes allow that. C is read once, at the end.
#include "../fast/gemm_plain.h"
#include "moe/kernels.h"

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (K == 0) return;
  const fast::PlainProduct product{A, B, C, M, N, M, N, K};
  fast::gemm<fast::Lies::kStraight, fast::Lies::kStraight, true>(
      fast::tile_size(1, M, N), M % 4 == 0 && N % 4 == 0 && fast::aligned(A, B), product, stream);
}

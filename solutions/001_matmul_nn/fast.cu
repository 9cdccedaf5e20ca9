// 001 matmul_nn, fast: a tile of 128 x 128 elements a block, 8 x 16 a thread, in registers.
//
// The clear kernel loads two floats for every product, so the memory system sets its speed. Here a
// block fetches a row of A and a column of B once for 128 elements, into shared memory, and a
// thread reads 24 floats there for 128 products: the arithmetic units set the speed. The next tiles
// are on their way while one is multiplied. A is turned as it is copied, so that what a thread
// needs at one step of the sum lies side by side for both operands. Small products have smaller
// tiles.
#include "../fast/gemm_plain.h"
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  const fast::PlainProduct product{A, B, C, K, N, M, N, K};
  fast::gemm<fast::Lies::kTurned, fast::Lies::kStraight, false>(
      fast::tile_size(1, M, N), N % 4 == 0 && fast::aligned(B), product, stream);
}

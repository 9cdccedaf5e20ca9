// 001 matmul_nn, third rung: nothing is waited for. A block has 128 x 128 elements, a thread 8
// x 16.
//
// The second rung's barriers stop everybody twice for every 8 steps, and its threads read a float
// at a time. Here the next tiles are on their way while one is multiplied, so a barrier a tile is
// enough. What a thread needs at one step lies side by side for both operands (A is turned on the
// way), and it reads 24 floats in 6 loads for 128 products: the arithmetic units set the speed.
// Small products have smaller tiles.
#include "../../fast/gemm_plain.h"
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  const fast::PlainProduct product{A, B, C, K, N, M, N, K};
  fast::gemm<fast::Lies::kTurned, fast::Lies::kStraight, false>(fast::tile_size(product.shape()),
                                                                product, stream);
}

// 002 matmul_nt, fast: tiles from shared memory and registers as in 001; both operands are turned.
//
// The steps of the sum lie side by side in both operands, while the threads of the clear kernel's
// warp are side by side along the rows of B: each of their loads touches 32 rows. Here eight lanes
// fetch the 32 bytes of a row that come in one sector, and write them to eight rows of shared
// memory, padded so that no two lanes meet in a bank.
#include "../fast/gemm_plain.h"
#include "moe/kernels.h"

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  const fast::PlainProduct product{A, B, C, K, K, M, N, K};
  fast::gemm<fast::Lies::kTurned, fast::Lies::kTurned, false>(fast::tile_size(1, M, N), false,
                                                              product, stream);
}

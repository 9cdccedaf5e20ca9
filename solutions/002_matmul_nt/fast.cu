// 002 matmul_nt, fast: the product of 001 on the tensor cores, with both operands turned.
//
// The steps of the sum lie side by side in both operands, while the threads of the clear kernel's
// warp are side by side along the rows of B: each of their loads touches 32 rows. The tensor cores
// want the steps side by side in shared memory, too: four threads fetch the 128 bytes that a tile
// has of a row of B, 16 at a time. On the CUDA cores (small products, other GPUs) two lanes fetch
// the 32 bytes of a row that come in one sector, and write them to eight rows of shared memory,
// padded so that no two lanes meet in a bank.
#include "../fast/gemm_plain.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void matmul_nt(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  fast::product<fast::Lies::kTurned, fast::Lies::kTurned, false>(
      fast::PlainProduct{A, B, C, K, K, M, N, K}, stream);
}

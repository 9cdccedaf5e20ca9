// 003 matmul_tn, fast: the product of 001 on the tensor cores; no operand is turned.
//
// Both operands lie step by step. The tensor cores want the steps side by side: a thread reads 32
// steps of a column of B, its neighbours read the columns beside it, and it stores what it has read
// as a row. A lane's two rows of A are neighbours here, so that it reads them together. C is read
// once, at the end. On the CUDA cores (small products, other GPUs) both operands are copied as they
// lie, 16 bytes at a time where addresses and sizes allow that.
#include "../fast/gemm_plain.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void matmul_tn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (K == 0) return;
  fast::product<fast::Lies::kStraight, fast::Lies::kStraight, true>(
      fast::PlainProduct{A, B, C, M, N, M, N, K}, stream);
}

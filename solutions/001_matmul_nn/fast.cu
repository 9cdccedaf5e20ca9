// 001 matmul_nn, fast: on the tensor cores, three products of TF32 for one of FP32.
//
// The clear kernel loads two floats for every product, so the memory system sets its speed. The
// rung below this one, cuda_cores.cu, has the arithmetic units set it. There are faster ones beside
// them, but they multiply numbers of 11 bits. Two such numbers make up a float of 24, and three of
// their products make up one of FP32, but for a part that is no larger than its rounding: see
// ../fast/gemm_tensor.h. Small products, and other GPUs than Hopper, stay on the CUDA cores.
#include "../fast/gemm_plain.h"
#include "../fast/product.h"
#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  if (M == 0) return;
  fast::product<fast::Lies::kTurned, fast::Lies::kStraight, false>(
      fast::PlainProduct{A, B, C, K, N, M, N, K}, stream);
}

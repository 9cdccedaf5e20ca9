// 035 expert_down_bias_grad, fast: 005's column sums, for a range of rows an expert.
//
// A thread has eight loads of 16 bytes under way; the clear kernel's has one of 4. Where experts
// have up to a thousand rows, on the average, a block has eight packs of columns of one expert to
// itself, and waits for no other. Where they have more, their rows are cut into parts, and the last
// block of an expert's tile adds up the parts in order.
#include "../fast/column_sums.h"
#include "moe/kernels.h"

namespace {

struct Add {
  float* db2;
  int D;
  __device__ void operator()(int expert, int column, float sum) const {
    db2[expert * D + column] += sum;
  }
};

}  // namespace

void expert_down_bias_grad(const float* dYs, const int* offsets, float* db2, int P, int E, int D,
                           cudaStream_t stream) {
  if (P == 0) return;
  fast::column_sums(dYs, offsets, P, E, D, Add{db2, D}, stream);
}

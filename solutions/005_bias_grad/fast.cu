// 005 bias_grad, fast: rows cut into parts, enough blocks for the whole GPU.
//
// The clear kernel has one block for 32 columns: 32 blocks for 1,024 columns, on a GPU of 132
// multiprocessors, each with one load of 4 bytes a thread under way. Here the rows are shared out
// as well, a thread has eight loads of 16 bytes under way, and the last block of a tile adds up the
// parts in order. No float atomics: the same bits in every run.
#include "../fast/column_sums.h"
#include "moe/kernels.h"

namespace {

struct Add {
  float* db;
  __device__ void operator()(int, int column, float sum) const { db[column] += sum; }
};

}  // namespace

void bias_grad(const float* dY, float* db, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  fast::column_sums(dY, nullptr, rows, 1, cols, Add{db}, stream);
}

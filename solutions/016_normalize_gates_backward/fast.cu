// 016 normalize_gates_backward, fast: k = 1, 2, 4, 8 or 16 as fours of elements, as in 015.
//
// The clear kernel keeps arrays of 16 in registers whatever k is: at k = 2 seven eighths of its
// instructions do nothing. Other k, and arrays that are not aligned, go a row a thread, with loops
// of k steps.
#include "../fast/gate_rows.h"
#include "moe/kernels.h"

namespace {

using fast::operator*;
using fast::operator/;
using fast::operator-;

__device__ void backward_of_row(const float* v, const float* dg, float* dv, int k) {
  float sum = 0.0f, dot = 0.0f;
  for (int j = 0; j < k; ++j) sum += v[j];
  for (int j = 0; j < k; ++j) dot += dg[j] * (v[j] / sum);
  for (int j = 0; j < k; ++j) dv[j] = (dg[j] - dot) / sum;
}

template <int kRow>
struct Backward {
  const float* values;
  const float* dgates;
  float* dvalues;

  // Of the last, incomplete four: only rows of 1 or 2 leave one. Its first element does the row.
  __device__ void one(int i) const {
    if (i % kRow == 0) backward_of_row(values + i, dgates + i, dvalues + i, kRow);
  }
  __device__ void four(int i) const {
    const float4 v = fast::load4(values + i);
    const float4 dg = fast::load4(dgates + i);
    const float4 sum = fast::row_sums<kRow>(v);
    const float4 dot = fast::row_sums<kRow>(dg * (v / sum));
    fast::store4(dvalues + i, (dg - dot) / sum);
  }
};

__global__ void backward_kernel(const float* values, const float* dgates, float* dvalues, int rows,
                                int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int first = row * k;
  backward_of_row(values + first, dgates + first, dvalues + first, k);
}

}  // namespace

void normalize_gates_backward(const float* values, const float* dgates, float* dvalues, int rows,
                              int k, cudaStream_t stream) {
  if (rows == 0) return;
  fast::for_row_of(
      k, fast::aligned(values, dgates, dvalues),
      [&](auto row) {
        const Backward<decltype(row)::size> body{values, dgates, dvalues};
        fast::in_fours(body, rows * k, true, stream);
      },
      [&] {
        const int blocks = (rows - 1) / 256 + 1;
        backward_kernel<<<blocks, 256, 0, stream>>>(values, dgates, dvalues, rows, k);
      });
}

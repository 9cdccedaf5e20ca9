// 015 normalize_gates, fast: k = 1, 2, 4, 8 or 16 as fours of elements.
//
// A thread a row, as in the clear kernel, moves 4 bytes an access, k floats apart from its
// neighbour's. Where 16 bytes hold whole rows, or 2 or 4 lanes hold one, each thread loads and
// stores 16 bytes beside its neighbours', and lanes that share a row add up by shuffles. Other k,
// and arrays that are not aligned, go the clear way.
#include "../fast/gate_rows.h"
#include "moe/kernels.h"

namespace {

using fast::operator/;

template <int kRow>
struct Normalize {
  const float* values;
  float* gates;

  // Of the last, incomplete four.
  __device__ void one(int i) const {
    const int first = i / kRow * kRow;
    float sum = 0.0f;
    for (int j = first; j < first + kRow; ++j) sum += values[j];
    gates[i] = values[i] / sum;
  }
  __device__ void four(int i) const {
    const float4 v = fast::load4(values + i);
    fast::store4(gates + i, v / fast::row_sums<kRow>(v));
  }
};

__global__ void normalize_kernel(const float* values, float* gates, int rows, int k) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int j = row * k; j < (row + 1) * k; ++j) sum += values[j];
  for (int j = row * k; j < (row + 1) * k; ++j) gates[j] = values[j] / sum;
}

}  // namespace

void normalize_gates(const float* values, float* gates, int rows, int k, cudaStream_t stream) {
  if (rows == 0) return;
  fast::for_row_of(
      k, fast::aligned(values, gates),
      [&](auto row) {
        fast::in_fours(Normalize<decltype(row)::size>{values, gates}, rows * k, true, stream);
      },
      [&] { normalize_kernel<<<(rows - 1) / 256 + 1, 256, 0, stream>>>(values, gates, rows, k); });
}

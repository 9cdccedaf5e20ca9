// 030 and 033: rows[r] += bias[expert of r], in place, or what else is to be done with the sums.
// The rows as one long array, four elements a thread.
#pragma once

#include "vectors.h"
#include "warp.h"

namespace fast {

constexpr int kBiasThreads = 256;

// The last expert that begins at or before this row, which is the same for the whole warp; all of
// its lanes must call.
// Its lanes ask at 32 places at once: one wait for memory for up to 32 experts, two for 1,024.
__device__ inline int expert_of_row(const int* offsets, int experts, int row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  int low = 0, high = experts;
  while (high - low > 1) {
    const int step = (high - low + 31) / 32;
    const int expert = low + lane * step;
    const unsigned begun = __ballot_sync(kAllLanes, expert < high && offsets[expert] <= row);
    low += (__popc(begun) - 1) * step;  // lane 0's has begun
    high = min(high, low + step);
  }
  return low;
}

// packs: of all rows; width: those of one. finish(i, sum) gets what becomes of pack i.
template <class Pack, class Finish>
__global__ void __launch_bounds__(kBiasThreads)
expert_bias_kernel(const float* rows, const float* bias, const int* offsets, int packs, int experts,
                   int width, Finish finish) {
  // Below packs + 256: an int holds it (docs/conventions.md).
  const int i = static_cast<int>(blockIdx.x * kBiasThreads + threadIdx.x);
  const bool there = i < packs;  // else the lane only takes part in the search
  // Under way while the expert is looked for: the search costs no time of its own.
  const Pack value = there ? reinterpret_cast<const Pack*>(rows)[i] : filled<Pack>(0.0f);
  // That of the warp's first pack; from there the others have few steps to go, if any.
  const int first = i - static_cast<int>(threadIdx.x) % 32;
  int expert = expert_of_row(offsets, experts, first / width);
  if (!there) return;
  const int row = i / width;
  while (expert + 1 < experts && offsets[expert + 1] <= row) ++expert;
  finish(i, value + reinterpret_cast<const Pack*>(bias)[expert * width + (i - row * width)]);
}

template <class Pack, class Finish>
void launch_expert_bias(const float* rows, const float* bias, const int* offsets, int packs,
                        int experts, int width, const Finish& finish, cudaStream_t stream) {
  if (packs == 0) return;
  const int blocks = (packs - 1) / kBiasThreads + 1;
  expert_bias_kernel<Pack>
      <<<blocks, kBiasThreads, 0, stream>>>(rows, bias, offsets, packs, experts, width, finish);
}

// vectors: whether what finish() writes may be written 16 bytes at a time.
template <class Finish>
void with_expert_bias(const float* rows, const float* bias, const int* offsets, int count,
                      int experts, int cols, bool vectors, const Finish& finish,
                      cudaStream_t stream) {
  // No pack of four may cross the end of a row: the next may be another expert's.
  if (vectors && cols % 4 == 0 && aligned(rows, bias)) {
    launch_expert_bias<float4>(rows, bias, offsets, count * (cols / 4), experts, cols / 4, finish,
                               stream);
  } else {
    launch_expert_bias<float>(rows, bias, offsets, count * cols, experts, cols, finish, stream);
  }
}

struct StoreBack {
  float* rows;
  template <class Pack>
  __device__ void operator()(int i, Pack sum) const {
    reinterpret_cast<Pack*>(rows)[i] = sum;
  }
};

inline void add_expert_bias(float* rows, const float* bias, const int* offsets, int count,
                            int experts, int cols, cudaStream_t stream) {
  with_expert_bias(rows, bias, offsets, count, experts, cols, true, StoreBack{rows}, stream);
}

}  // namespace fast

// 028 combine_backward_gates, fast: a warp a token, K dot products at once, 16 bytes a load.
//
// The clear kernel unrolls to 16 choices whatever K is, and spends most of its instructions on
// asking whether a choice is there. Here the bound is K's next power of two, fixed when compiled,
// and each lane has K + 1 loads of 16 bytes under way.
#include "../fast/vectors.h"
#include "../fast/warp.h"
#include "moe/kernels.h"

namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;

using fast::operator*;
using fast::operator+;

// packs: Packs in a row. kMost: the most choices, K <= kMost.
template <class Pack, int kMost>
__global__ void __launch_bounds__(kThreads)
gates_kernel(const float* dOut, const float* Ys, const int* slot_of_pair, float* dgates, int T,
             int packs, int K) {
  const int lane = threadIdx.x % kWarp;
  const int t = blockIdx.x * (kThreads / kWarp) + threadIdx.x / kWarp;
  if (t >= T) return;  // the whole warp

  const Pack* gradient = reinterpret_cast<const Pack*>(dOut) + t * packs;
  const Pack* rows[kMost];
  Pack dots[kMost];
#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    const int slot = j < K ? slot_of_pair[t * K + j] : 0;
    rows[j] = reinterpret_cast<const Pack*>(Ys) + slot * packs;
    dots[j] = fast::filled<Pack>(0.0f);
  }

#pragma unroll 2
  for (int i = lane; i < packs; i += kWarp) {
    const Pack g = gradient[i];
#pragma unroll
    for (int j = 0; j < kMost; ++j) {
      if (j < K) dots[j] = dots[j] + g * rows[j][i];
    }
  }

#pragma unroll
  for (int j = 0; j < kMost; ++j) {
    if (j < K) {  // the same for all lanes
      const float dot = fast::lanes_sum(fast::sum_of(dots[j]), kWarp);
      if (lane == 0) dgates[t * K + j] = dot;
    }
  }
}

template <class Pack>
void launch(const float* dOut, const float* Ys, const int* slot_of_pair, float* dgates, int T,
            int packs, int K, cudaStream_t stream) {
  const auto kernel = K <= 1   ? gates_kernel<Pack, 1>
                      : K <= 2 ? gates_kernel<Pack, 2>
                      : K <= 4 ? gates_kernel<Pack, 4>
                      : K <= 8 ? gates_kernel<Pack, 8>
                               : gates_kernel<Pack, 16>;
  const int blocks = (T - 1) / (kThreads / kWarp) + 1;
  kernel<<<blocks, kThreads, 0, stream>>>(dOut, Ys, slot_of_pair, dgates, T, packs, K);
}

}  // namespace

void combine_backward_gates(const float* dOut, const float* Ys, const int* slot_of_pair,
                            float* dgates, int T, int D, int K, cudaStream_t stream) {
  if (T == 0) return;
  if (D % 4 == 0 && fast::aligned(dOut, Ys)) {
    launch<float4>(dOut, Ys, slot_of_pair, dgates, T, D / 4, K, stream);
  } else {
    launch<float>(dOut, Ys, slot_of_pair, dgates, T, D, K, stream);
  }
}

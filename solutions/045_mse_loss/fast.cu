// 045 mse_loss, fast: one launch, and four loads of 16 bytes of each array under way in a thread.
//
// Every block leaves its sum; the first warp of the last one to arrive adds them up, in order, so
// that the second launch of the clear version is not needed and the bits are the same in every run.
// Few elements are loaded once each, by as many blocks as have some.
#include "../fast/last_block.h"
#include "../fast/vectors.h"
#include "../fast/warp.h"
#include "moe/kernels.h"

namespace {

using fast::operator*;
using fast::operator-;

constexpr int kThreads = 256;
constexpr int kResident = 4;      // blocks on a multiprocessor, for which there are registers
constexpr int kMostBlocks = 528;  // that many for each multiprocessor of an H200
constexpr int kDeep = 4;          // loads of each array under way in a thread, if it has so many

__device__ float block_sums[kMostBlocks];
__device__ unsigned arrived;

// groups: fours of elements, 0 where the arrays' addresses do not allow them.
template <int deep>
__global__ void __launch_bounds__(kThreads, kResident)
mse_loss_kernel(const float* y, const float* target, float* loss, int n, int groups) {
  __shared__ float shared[kThreads / 32];
  const long long stride = static_cast<long long>(gridDim.x) * kThreads;
  const long long first = static_cast<long long>(blockIdx.x) * kThreads + threadIdx.x;

  float sum = 0.0f;
  for (long long g = first; g < groups; g += deep * stride) {
    // Past the end the last group is loaded again, and not counted: loads without a condition all
    // begin before the first is waited for.
    float4 a[deep], b[deep];
#pragma unroll
    for (int k = 0; k < deep; ++k) {
      const long long at = g + k * stride < groups ? g + k * stride : groups - 1;
      a[k] = fast::load4(y + 4 * at);
      b[k] = fast::load4(target + 4 * at);
    }
#pragma unroll
    for (int k = 0; k < deep; ++k) {
      const float4 error = a[k] - b[k];
      if (g + k * stride < groups) sum += fast::sum_of(error * error);
    }
  }
  for (long long i = 4LL * groups + first; i < n; i += stride) {
    const float error = y[i] - target[i];
    sum += error * error;
  }

  sum = fast::block_sum(sum, shared);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
  if (!fast::last_to_arrive(&arrived, gridDim.x)) return;

  if (threadIdx.x >= 32) return;
  sum = 0.0f;
  for (unsigned block = threadIdx.x; block < gridDim.x; block += 32) {
    sum += __ldcg(&block_sums[block]);
  }
  sum = fast::lanes_sum(sum, 32);
  if (threadIdx.x == 0) *loss = n > 0 ? sum / static_cast<float>(n) : 0.0f;
}

}  // namespace

void mse_loss(const float* y, const float* target, float* loss, int n, cudaStream_t stream) {
  const int groups = fast::aligned(y, target) ? n / 4 : 0;
  // A group a thread while that fills no more than the GPU. One block at least: it writes the loss.
  constexpr int kOfBlock = 4 * kThreads;
  const int needed = n > kOfBlock ? (n - 1) / kOfBlock + 1 : 1;
  if (needed <= kMostBlocks) {
    mse_loss_kernel<1><<<needed, kThreads, 0, stream>>>(y, target, loss, n, groups);
  } else {
    mse_loss_kernel<kDeep><<<kMostBlocks, kThreads, 0, stream>>>(y, target, loss, n, groups);
  }
}

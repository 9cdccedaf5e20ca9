// 012 softmax_rows, fast: each row is read once, kept in registers, and written once.
//
// The clear kernel has a block of 256 threads a row and walks three times along it: at 32 columns
// seven eighths of the threads idle while 19 barriers pass, and at 32,768 the second and third walk
// go to the L2 cache. Here a row has as many threads as it has packs of 16 bytes: a few lanes of a
// warp up to 128 columns, a warp up to 1,024 (no barrier in either), and a block beyond, with eight
// packs a thread and two barriers. Rows too wide for a block's registers are walked three times.
#include <cmath>

#include "../fast/vectors.h"
#include "../fast/warp.h"
#include "moe/kernels.h"

namespace {

using fast::operator*;

constexpr int kThreads = 256;       // of a block that has several rows
constexpr int kMostThreads = 1024;  // of a block that has one
constexpr int kPacks = 8;           // of a row in one thread, at most

__device__ float exp_of(float x, float largest) {
  return __expf(x - largest);
}

__device__ float4 exp_of(float4 x, float largest) {
  return make_float4(exp_of(x.x, largest), exp_of(x.y, largest), exp_of(x.z, largest),
                     exp_of(x.w, largest));
}

// ---- a row in registers: pack k of a thread is number first + k * step of the row's `packs` ----

template <int kCount, class Pack>
__device__ void load_row(Pack (&v)[kCount], const Pack* from, int first, int step, int packs) {
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const int at = first + k * step;
    // What changes neither maximum nor sum.
    v[k] = at < packs ? from[at] : fast::filled<Pack>(-INFINITY);
  }
}

template <int kCount, class Pack>
__device__ float max_of_row(const Pack (&v)[kCount]) {
  float largest = -INFINITY;
#pragma unroll
  for (int k = 0; k < kCount; ++k) largest = fmaxf(largest, fast::max_of(v[k]));
  return largest;
}

// Leaves the exponentials in v.
template <int kCount, class Pack>
__device__ float sum_of_exponentials(Pack (&v)[kCount], float largest) {
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    v[k] = exp_of(v[k], largest);
    sum += fast::sum_of(v[k]);
  }
  return sum;
}

template <int kCount, class Pack>
__device__ void store_row(const Pack (&v)[kCount], Pack* to, int first, int step, int packs,
                          float scale) {
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const int at = first + k * step;
    if (at < packs) to[at] = v[k] * fast::filled<Pack>(scale);
  }
}

// ---- up to a warp a row ----

// A row has 2^log_lanes threads, up to 32.
template <class Pack, int kCount>
__global__ void __launch_bounds__(kThreads)
narrow_kernel(const float* x, float* y, int rows, int packs, int log_lanes) {
  const int lanes = 1 << log_lanes;
  const int lane = threadIdx.x & (lanes - 1);
  // Below 2^32: a row has less than two lanes a pack.
  const int row = static_cast<int>((blockIdx.x * kThreads + threadIdx.x) >> log_lanes);
  // Past the last row lanes have no packs; they stay, since a shuffle wants the whole warp.
  const int own_packs = row < rows ? packs : 0;
  const long long start = static_cast<long long>(row) * packs;

  Pack v[kCount];
  load_row(v, reinterpret_cast<const Pack*>(x) + start, lane, lanes, own_packs);
  const float largest = fast::lanes_max(max_of_row(v), lanes);
  const float sum = fast::lanes_sum(sum_of_exponentials(v, largest), lanes);
  store_row(v, reinterpret_cast<Pack*>(y) + start, lane, lanes, own_packs, 1.0f / sum);
}

// ---- a block a row ----

template <class Pack>
__global__ void __launch_bounds__(kMostThreads)
wide_kernel(const float* x, float* y, int packs) {
  __shared__ float maxima[32], sums[32];
  const int first = threadIdx.x, step = blockDim.x;
  const long long start = static_cast<long long>(blockIdx.x) * packs;

  Pack v[kPacks];
  load_row(v, reinterpret_cast<const Pack*>(x) + start, first, step, packs);
  const float largest = fast::block_max(max_of_row(v), maxima);
  const float sum = fast::block_sum(sum_of_exponentials(v, largest), sums);
  store_row(v, reinterpret_cast<Pack*>(y) + start, first, step, packs, 1.0f / sum);
}

// Any width: three walks.
template <class Pack>
__global__ void __launch_bounds__(kMostThreads)
any_kernel(const float* x, float* y, int packs) {
  __shared__ float maxima[32], sums[32];
  const Pack* from = reinterpret_cast<const Pack*>(x) + static_cast<long long>(blockIdx.x) * packs;
  Pack* to = reinterpret_cast<Pack*>(y) + static_cast<long long>(blockIdx.x) * packs;

  float largest = -INFINITY;
  for (int i = threadIdx.x; i < packs; i += blockDim.x) {
    largest = fmaxf(largest, fast::max_of(from[i]));
  }
  largest = fast::block_max(largest, maxima);

  float sum = 0.0f;
  for (int i = threadIdx.x; i < packs; i += blockDim.x) {
    sum += fast::sum_of(exp_of(from[i], largest));
  }
  const Pack scale = fast::filled<Pack>(1.0f / fast::block_sum(sum, sums));

  for (int i = threadIdx.x; i < packs; i += blockDim.x) to[i] = exp_of(from[i], largest) * scale;
}

template <class Pack>
void launch(const float* x, float* y, int rows, int packs, cudaStream_t stream) {
  if (packs <= 32 * kPacks) {
    const int log_lanes = fast::log_lanes_for(packs);
    const int rows_a_block = kThreads >> log_lanes;
    const int blocks = (rows - 1) / rows_a_block + 1;
    const auto kernel = packs <= 32    ? narrow_kernel<Pack, 1>
                        : packs <= 64  ? narrow_kernel<Pack, 2>
                        : packs <= 128 ? narrow_kernel<Pack, 4>
                                       : narrow_kernel<Pack, kPacks>;
    kernel<<<blocks, kThreads, 0, stream>>>(x, y, rows, packs, log_lanes);
  } else if (packs <= kMostThreads * kPacks) {
    const int threads = ((packs - 1) / kPacks / 32 + 1) * 32;  // whole warps
    wide_kernel<Pack><<<rows, threads, 0, stream>>>(x, y, packs);
  } else {
    any_kernel<Pack><<<rows, kMostThreads, 0, stream>>>(x, y, packs);
  }
}

}  // namespace

void softmax_rows(const float* x, float* y, int rows, int cols, cudaStream_t stream) {
  if (rows == 0) return;
  if (cols % 4 == 0 && fast::aligned(x, y)) {
    launch<float4>(x, y, rows, cols / 4, stream);
  } else {
    launch<float>(x, y, rows, cols, stream);
  }
}

// 013 softmax_rows_backward, fast: each row is read once, kept on the multiprocessor, written once.
//
// As in 012 a row has as many threads as it has packs of 16 bytes, at most eight packs of each
// array a thread. Two arrays of 32,768 columns are 256 kB: as much as all registers of a
// multiprocessor. So a block keeps dy in registers and y in shared memory, where each thread reads
// only what it wrote, and asks ahead for a row of a later block. Rows too wide for that are walked
// twice.
#include "../fast/prefetch.h"
#include "../fast/shared_memory.h"
#include "../fast/vectors.h"
#include "../fast/warp.h"
#include "moe/kernels.h"

namespace {

using fast::operator*;
using fast::operator-;

constexpr int kThreads = 256;       // of a block that has several rows
constexpr int kMostThreads = 1024;  // of a block that has one
constexpr int kPacks = 8;           // of a row in one thread, at most

// ---- up to a warp a row ----

// A row has 2^log_lanes threads, up to 32.
template <class Pack, int kCount>
__global__ void __launch_bounds__(kThreads)
narrow_kernel(const float* y, const float* dy, float* dx, int rows, int packs, int log_lanes) {
  const int lanes = 1 << log_lanes;
  const int lane = threadIdx.x & (lanes - 1);
  // Below 2^32: a row has less than two lanes a pack.
  const int row = static_cast<int>((blockIdx.x * kThreads + threadIdx.x) >> log_lanes);
  // Past the last row lanes have no packs; they stay, since a shuffle wants the whole warp.
  const int own_packs = row < rows ? packs : 0;
  const long long start = static_cast<long long>(row) * packs;

  Pack v[kCount], dv[kCount];
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const int at = lane + k * lanes;
    const bool there = at < own_packs;
    v[k] = there ? reinterpret_cast<const Pack*>(y)[start + at] : fast::filled<Pack>(0.0f);
    dv[k] = there ? reinterpret_cast<const Pack*>(dy)[start + at] : fast::filled<Pack>(0.0f);
  }
  float dot = 0.0f;
#pragma unroll
  for (int k = 0; k < kCount; ++k) dot += fast::sum_of(v[k] * dv[k]);
  const Pack all = fast::filled<Pack>(fast::lanes_sum(dot, lanes));
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    const int at = lane + k * lanes;
    if (at < own_packs) reinterpret_cast<Pack*>(dx)[start + at] = v[k] * (dv[k] - all);
  }
}

// ---- a block a row ----

// Dynamic shared memory for the row of y.
//
// A block that has its multiprocessor to itself loads nothing while it reduces. So before that it
// asks for a row that lies `ahead`, to wait in the L2 cache for its block; 0 for none. Blocks of
// equal work run in step. A whole step ahead, each would ask for its successor's row: 34 MB on an
// H200, beside 17 MB of results on their way out, in an L2 cache of 60 MB in two halves. Measured,
// that is slower than not to ask. Half a step ahead, half the blocks ask for a successor's row, and
// the others for one that is under way already.
template <class Pack>
__global__ void __launch_bounds__(kMostThreads)
wide_kernel(const float* y, const float* dy, float* dx, int packs, int ahead) {
  extern __shared__ float4 memory[];
  __shared__ float sums[32];
  Pack* kept = reinterpret_cast<Pack*>(memory);
  const int first = threadIdx.x, step = blockDim.x;
  const long long start = static_cast<long long>(blockIdx.x) * packs;
  const Pack* y_row = reinterpret_cast<const Pack*>(y) + start;
  const Pack* dy_row = reinterpret_cast<const Pack*>(dy) + start;
  Pack* dx_row = reinterpret_cast<Pack*>(dx) + start;

  Pack dv[kPacks];
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    const int at = first + k * step;
    dv[k] = at < packs ? dy_row[at] : fast::filled<Pack>(0.0f);
  }
  float dot = 0.0f;
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    const int at = first + k * step;
    if (at < packs) {
      // Read-only, so it need not wait for the store before it.
      const Pack v = __ldg(&y_row[at]);
      kept[at] = v;
      dot += fast::sum_of(v * dv[k]);
    }
  }
  if (ahead > 0 && blockIdx.x + ahead < gridDim.x) {
    constexpr int kLine = fast::kLineBytes / sizeof(Pack);
    for (int at = first * kLine; at < packs; at += step * kLine) {
      const long long there = static_cast<long long>(ahead) * packs + at;
      fast::prefetch_line(y_row + there);
      fast::prefetch_line(dy_row + there);
    }
  }
  const Pack all = fast::filled<Pack>(fast::block_sum(dot, sums));
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    const int at = first + k * step;
    if (at < packs) dx_row[at] = kept[at] * (dv[k] - all);
  }
}

// Any width: two walks.
template <class Pack>
__global__ void __launch_bounds__(kMostThreads)
any_kernel(const float* y, const float* dy, float* dx, int packs) {
  __shared__ float sums[32];
  const long long start = static_cast<long long>(blockIdx.x) * packs;
  const Pack* y_row = reinterpret_cast<const Pack*>(y) + start;
  const Pack* dy_row = reinterpret_cast<const Pack*>(dy) + start;
  Pack* dx_row = reinterpret_cast<Pack*>(dx) + start;

  float dot = 0.0f;
  for (int i = threadIdx.x; i < packs; i += blockDim.x) dot += fast::sum_of(y_row[i] * dy_row[i]);
  const Pack all = fast::filled<Pack>(fast::block_sum(dot, sums));
  for (int i = threadIdx.x; i < packs; i += blockDim.x) dx_row[i] = y_row[i] * (dy_row[i] - all);
}

// Half of the blocks that run at once, where each has a multiprocessor; several on one take turns
// by themselves.
template <class Pack>
int rows_ahead(int threads, int bytes) {
  int device = 0, multiprocessors = 0, resident = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, wide_kernel<Pack>, threads, bytes);
  return resident == 1 ? multiprocessors / 2 : 0;
}

template <class Pack>
void launch(const float* y, const float* dy, float* dx, int rows, int packs, cudaStream_t stream) {
  if (packs <= 32 * kPacks) {
    const int log_lanes = fast::log_lanes_for(packs);
    const int rows_a_block = kThreads >> log_lanes;
    const int blocks = (rows - 1) / rows_a_block + 1;
    const auto kernel = packs <= 32    ? narrow_kernel<Pack, 1>
                        : packs <= 64  ? narrow_kernel<Pack, 2>
                        : packs <= 128 ? narrow_kernel<Pack, 4>
                                       : narrow_kernel<Pack, kPacks>;
    kernel<<<blocks, kThreads, 0, stream>>>(y, dy, dx, rows, packs, log_lanes);
    return;
  }
  const int threads = ((packs - 1) / kPacks / 32 + 1) * 32;  // whole warps
  const int bytes = packs * static_cast<int>(sizeof(Pack));
  if (threads <= kMostThreads && fast::gets_shared_memory(wide_kernel<Pack>, bytes)) {
    const int ahead = rows_ahead<Pack>(threads, bytes);
    wide_kernel<Pack><<<rows, threads, bytes, stream>>>(y, dy, dx, packs, ahead);
  } else {
    any_kernel<Pack><<<rows, kMostThreads, 0, stream>>>(y, dy, dx, packs);
  }
}

}  // namespace

void softmax_rows_backward(const float* y, const float* dy, float* dx, int rows, int cols,
                           cudaStream_t stream) {
  if (rows == 0) return;
  if (cols % 4 == 0 && fast::aligned(y, dy, dx)) {
    launch<float4>(y, dy, dx, rows, cols / 4, stream);
  } else {
    launch<float>(y, dy, dx, rows, cols, stream);
  }
}

// Cooperative groups: partitions, reductions and scans.
#include "construct.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int* scratch, int value) {
  const int lane = static_cast<int>(group.thread_rank());
  for (int i = static_cast<int>(group.size()) / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

__global__ void any_group(int* out) {
  __shared__ int scratch[64];
  auto block = cg::this_thread_block();
  const int all = sum_of(block, scratch, 1);
  if (block.thread_rank() == 0) out[0] = all;
  auto tile = cg::tiled_partition(block, 16);
  const int part = sum_of(tile, scratch + threadIdx.x / 16 * 16, static_cast<int>(threadIdx.x));
  if (tile.thread_rank() == 0) out[1 + threadIdx.x / 16] = part;
}

__device__ float first_of(cg::thread_block_tile<8> tile, float x) { return tile.shfl(x, 0); }
template <unsigned N, class Parent>
__device__ float tile_sum(const cg::thread_block_tile<N, Parent>& tile, float x) {
  for (unsigned d = tile.size() / 2; d > 0; d /= 2) x += tile.shfl_down(x, d);
  return first_of(tile, x);
}

__global__ void tiles(float* out) {
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
  const float x = static_cast<float>(threadIdx.x);
  float sum = tile_sum(tile, x);
  sum += cg::reduce(tile, x, cg::plus<float>()) + cg::reduce(tile, x, cg::greater<float>());
  sum += cg::reduce(tile, x, [](float a, float b) { return a < b ? a : b; });
  const float inclusive = cg::inclusive_scan(tile, x, cg::plus<float>());
  const float exclusive = cg::exclusive_scan(tile, x);
  const float most = cg::inclusive_scan(tile, -x, cg::greater<float>());
  out[threadIdx.x] = sum + inclusive - exclusive + most;
  if (tile.any(x > 0) && tile.all(x >= 0)) out[threadIdx.x] += static_cast<float>(tile.meta_group_rank());
}

__global__ void partitions(int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = static_cast<int>(warp.thread_rank());
  cg::coalesced_group third = cg::labeled_partition(warp, lane % 3);
  const int size = static_cast<int>(third.size());
  const int sum = cg::reduce(third, lane, cg::plus<int>());
  auto odd = cg::binary_partition(warp, lane % 2 == 1);
  const int before = cg::exclusive_scan(odd, 1, cg::plus<int>());
  out[lane] = size * 100000 + sum * 100 + before;
  if (lane < 12) {
    cg::coalesced_group active = cg::coalesced_threads();
    const int rank = static_cast<int>(active.thread_rank());
    const int up = active.shfl_up(rank, 1);
    out[lane] += up + static_cast<int>(active.shfl(lane, 0)) + static_cast<int>(active.ballot(rank == 0)) - 1;
  }
}

// Slots for those that want one, with one atomic for all of them.
__global__ void slots(int* counter, int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  if (lane % 4 == 1) {
    cg::coalesced_group active = cg::coalesced_threads();
    const int first = cg::invoke_one_broadcast(
        active, [&](int many) { return atomicAdd(counter, many); }, static_cast<int>(active.size()));
    out[first + static_cast<int>(active.thread_rank())] = lane;
  }
  __syncwarp();
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  cg::invoke_one(tile, [=] { atomicAdd(counter, 100); });
}

int main() {
  int* d = device_ints(64);
  any_group<<<1, 64>>>(d);
  CHECK(value_at(d, 0) == 64);
  CHECK(value_at(d, 1) == 120 && value_at(d, 2) == 376);

  float* f = nullptr;
  CHECK(cudaMalloc(&f, 64 * sizeof(float)) == cudaSuccess);
  tiles<<<1, 64>>>(f);
  // Tile 1, rank 2: sum 92 twice, greatest 15, least 8, own value 10, -8, rank 1.
  CHECK(float_at(f, 10) == 92.0f + 92.0f + 15.0f + 8.0f + 10.0f - 8.0f + 1.0f);

  partitions<<<1, 32>>>(d);
  CHECK(value_at(d, 20) == 10 * 100000 + (2 + 5 + 8 + 11 + 14 + 17 + 20 + 23 + 26 + 29) * 100 + 10);
  CHECK(value_at(d, 3) == 11 * 100000 + (3 + 6 + 9 + 12 + 15 + 18 + 21 + 24 + 27 + 30) * 100 + 1 + 2);

  CHECK(cudaMemset(d, 0, 64 * sizeof(int)) == cudaSuccess);
  slots<<<1, 32>>>(d, d + 1);
  CHECK(value_at(d, 0) == 8 + 4 * 100);
  CHECK(value_at(d, 1 + 3) == 13);
}

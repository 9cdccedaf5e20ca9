// CUB's collectives under the checks.
#include "acceptance.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

using acceptance::Array;

template <bool waits>
__global__ void twice(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ typename Reduce::TempStorage temp;
  const float x = in[threadIdx.x];
  const float sum = Reduce(temp).Sum(x);  // @first
  if (waits) __syncthreads();
  const float squares = Reduce(temp).Sum(x * x);  // @second
  if (threadIdx.x == 0) *out = sum + squares;
}
void run_reuse() {
  Array<float> in(64, 2.0f, "in");
  Array<float> out(1, "out");
  twice<false><<<1, 64>>>(in, out);
}
void run_reuse_after_barrier() {
  Array<float> in(64, 2.0f, "in");
  Array<float> out(1, "out");
  twice<true><<<1, 64>>>(in, out);
  REQUIRE(out.values()[0] == 128 + 256);
}

__global__ void scan_twice(const int* in, int* out) {
  using Scan = cub::BlockScan<int, 64>;
  __shared__ Scan::TempStorage temp;
  int before, after;
  Scan(temp).ExclusiveSum(in[threadIdx.x], before);  // @scan
  Scan(temp).InclusiveSum(before, after);  // @again
  out[threadIdx.x] = after;
}
void run_scan_reuse() {
  Array<int> in(64, 1, "in");
  Array<int> out(64, "out");
  scan_twice<<<1, 64>>>(in, out);
}

__global__ void in_a_branch(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage temp;
  if (threadIdx.x < 32) {
    const float sum = Reduce(temp).Sum(in[threadIdx.x]);  // @branch
    if (threadIdx.x == 0) *out = sum;
  }
}
void run_in_a_branch() {
  Array<float> in(64, 2.0f, "in");
  Array<float> out(1, "out");
  in_a_branch<<<1, 64>>>(in, out);
}

// Only thread 0 has the sum.
__global__ void everyone(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 64>;
  __shared__ Reduce::TempStorage temp;
  out[threadIdx.x] = Reduce(temp).Sum(in[threadIdx.x]);
}
void run_everyone() {
  Array<float> in(64, 1.0f, "in");
  Array<float> out(64, "out");
  everyone<<<1, 64>>>(in, out);
  REQUIRE(out.values()[0] == 64);
  REQUIRE(out.values()[5] != 64);
}

__global__ void load_all(const float* in, float* out, int n) {
  float items[4];
  __shared__ cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_TRANSPOSE>::TempStorage temp;
  cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_TRANSPOSE>(temp).Load(in, items, n, 0.0f);  // @load
  out[threadIdx.x] = items[0] + items[3];
}
void run_load() {
  Array<float> in(100, 1.0f, "in");
  Array<float> out(32, "out");
  load_all<<<1, 32>>>(in, out, 100);
  REQUIRE(out.values()[24] == 2 && out.values()[25] == 0);
}
void run_load_too_much() {
  Array<float> in(100, 1.0f, "in");
  Array<float> out(32, "out");
  load_all<<<1, 32>>>(in, out, 128);
}

__global__ void load_wide(const float* in, float* out) {
  float items[4];
  __shared__ cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_VECTORIZE>::TempStorage temp;
  cub::BlockLoad<float, 32, 4, cub::BLOCK_LOAD_VECTORIZE>(temp).Load(in + 1, items);  // @wide
  out[threadIdx.x] = items[0];
}
void run_misaligned() {
  Array<float> in(132, 1.0f, "in");
  Array<float> out(32, "out");
  load_wide<<<1, 32>>>(in, out);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"reuse without a barrier", run_reuse, {"race @first @second"}, {"temp"}},
          {"reuse after a barrier", run_reuse_after_barrier, {}},
          {"scan reuse", run_scan_reuse, {"race @scan @again"}},
          {"in a branch", run_in_a_branch, {"barrier_divergence @branch", "note uninitialized_read @branch"}},
          {"not only thread 0", run_everyone, {}},
          {"guarded load", run_load, {}},
          {"unguarded load", run_load_too_much, {"out_of_bounds @load"}, {"in[100]"}, cudaErrorIllegalAddress},
          {"misaligned vector load", run_misaligned, {"misaligned @wide"}, {}, cudaErrorMisalignedAddress},
      });
}

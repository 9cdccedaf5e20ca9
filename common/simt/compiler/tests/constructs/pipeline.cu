// Asynchronous copies to shared memory: the primitives and cooperative_groups::memcpy_async.
#include "construct.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// Two stages, as a tiled product has them.
__global__ void doubled(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float stage[2][128];
  const int t = static_cast<int>(threadIdx.x);
  __pipeline_memcpy_async(&stage[0][4 * t], in + 4 * t, 16);
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      __pipeline_memcpy_async(&stage[(tile + 1) % 2][4 * t], in + (tile + 1) * 128 + 4 * t, 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = 0; i < 4; ++i) out[tile * 128 + t + 32 * i] = 2.0f * stage[tile % 2][t + 32 * i];
    __syncthreads();
  }
}

__global__ void filled(const int* in, int* out) {
  __shared__ __align__(16) int s[4];
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(s, in, 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 4; ++i) out[i] = s[i];
  }
}

__global__ void by_group(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(int) * static_cast<size_t>(n));
  cg::wait(block);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) out[i] = tile[n - 1 - i];
}

int main() {
  float* in = nullptr;
  float* out = nullptr;
  float host[512];
  for (int i = 0; i < 512; ++i) host[i] = static_cast<float>(i);
  CHECK(cudaMalloc(&in, sizeof host) == cudaSuccess);
  CHECK(cudaMalloc(&out, sizeof host) == cudaSuccess);
  CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  doubled<<<1, 32>>>(in, out, 4);
  CHECK(float_at(out, 1) == 2.0f && float_at(out, 200) == 400.0f && float_at(out, 511) == 1022.0f);

  int* d = device_ints(64);
  int values[50];
  for (int i = 0; i < 50; ++i) values[i] = 100 + i;
  CHECK(cudaMemcpy(d, values, sizeof values, cudaMemcpyHostToDevice) == cudaSuccess);
  int* e = device_ints(64);
  filled<<<1, 32>>>(d, e);
  CHECK(value_at(e, 1) == 101 && value_at(e, 2) == 0 && value_at(e, 3) == 0);
  by_group<<<1, 32, sizeof values>>>(d, e, 50);
  CHECK(value_at(e, 0) == 149 && value_at(e, 49) == 100);
}

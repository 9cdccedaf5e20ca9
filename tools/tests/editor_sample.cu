// What learners write, for tools/tests/clangd_test: an editor must find nothing wrong in it.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "moe/kernels.h"

namespace {

__constant__ float scale = 2.0f;
__device__ int counter;

template <int Size>
__device__ __forceinline__ float tile_sum(const float (&tile)[Size]) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < Size; ++i) sum += tile[i];
  return sum;
}

__device__ float warp_sum(float value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  return value;
}

template <int Threads>
__global__ void __launch_bounds__(Threads)
    kernel(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[32];
  extern __shared__ float dynamic[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32) tile[threadIdx.x] = 0.0f;
  dynamic[threadIdx.x] = i < n ? __ldg(&in[i]) : -INFINITY;
  __syncthreads();
  const float4 four = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
  float value = expf(dynamic[threadIdx.x]) + fmaxf(tile_sum(tile), scale) + four.x * rsqrtf(four.y);
  value = warp_sum(value) + __expf(value) + tanhf(value) + erff(value) + max(n, 3) + min(1.0f, value);
  if (__any_sync(0xffffffffu, isnan(value))) atomicAdd(&counter, 1);
  if (i < n) out[i] = value;
  if (i == 0) printf("%d of %d\n", i, n);
}

}  // namespace

void relu_forward(const float* x, float* y, int n, cudaStream_t stream) {
  const dim3 block(256);
  const dim3 grid((static_cast<unsigned>(n) + block.x - 1) / block.x);
  std::vector<float> host(4);
  kernel<256><<<grid, block, block.x * sizeof(float), stream>>>(x, y, n);
  cudaMemcpyAsync(y, host.data(), 0, cudaMemcpyHostToDevice, stream);
  if (cudaGetLastError() != cudaSuccess) std::printf("%s\n", cudaGetErrorString(cudaPeekAtLastError()));
}

// cudaLaunchKernel and its kin with plain kernels, instances of templates, with and without a cast.
#include "construct.h"

template <class T>
__global__ void fill(T* d, T value) {
  d[threadIdx.x] = value;
}
template <int N, class... T>
__global__ void variadic(int* d, T... values) {
  d[0] = N + (0 + ... + values);
}
namespace shapes {
template <class T, int N>
static __global__ void __launch_bounds__(N) scaled(T* d) {
  __shared__ T s[N];
  s[threadIdx.x] = static_cast<T>(threadIdx.x);
  __syncthreads();
  d[threadIdx.x] = s[N - 1 - threadIdx.x];
}
}  // namespace shapes
__global__ void plain(int* d, int n) { d[0] = n; }

int main() {
  int* d = device_ints(64);
  int value = 7;
  void* arguments[] = {&d, &value};
  CHECK(cudaLaunchKernel((const void*)fill<int>, dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(value_at(d, 31) == 7);
  value = 8;
  CHECK(cudaLaunchKernel(fill<int>, dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  CHECK(value_at(d, 31) == 8);
  value = 9;
  const void* address = reinterpret_cast<const void*>(&fill<int>);
  CHECK(cudaLaunchKernel(address, 1, 32, arguments, 0, 0) == cudaSuccess);
  CHECK(value_at(d, 0) == 9);
  CHECK(cudaLaunchKernel(plain, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel((void*)plain, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaLaunchKernel(shapes::scaled<int, 16>, 1, 16, arguments, 0, nullptr) == cudaSuccess);
  CHECK(value_at(d, 1) == 14);
  CHECK(cudaLaunchKernel((const void*)shapes::scaled<int, 16>, 1, 32, arguments, 0, nullptr) != cudaSuccess);
  CHECK(cudaGetLastError() != cudaSuccess);
  int second = 5;
  void* three[] = {&d, &value, &second};
  CHECK(cudaLaunchKernel(variadic<2, int, int>, 1, 1, three, 0, nullptr) == cudaSuccess);
  CHECK(value_at(d, 0) == 16);

  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, shapes::scaled<int, 16>) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 16);
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill<float>, 256, 0) == cudaSuccess);
  CHECK(blocks == 8);
  CHECK(cudaFuncSetAttribute(fill<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(fill<int>, cudaFuncCachePreferL1) == cudaSuccess);
}

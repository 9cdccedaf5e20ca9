// Barriers inside device functions, templates, member functions and lambdas.
#include "construct.h"

__device__ int block_sum(int x, int* scratch) {
  scratch[threadIdx.x] = x;
  __syncthreads();
  for (unsigned int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) scratch[threadIdx.x] += scratch[threadIdx.x + step];
    __syncthreads();
  }
  int sum = scratch[0];
  __syncthreads();
  return sum;
}

template <class T>
static __device__ __forceinline__ T forced(T x, T* scratch) {
  scratch[threadIdx.x] = x;
  __syncthreads();
  T value = scratch[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  return value;
}

struct Tile {
  int* scratch;
  __device__ explicit Tile(int* memory) : scratch(memory) { __syncthreads(); }
  __device__ void store(int x) {
    scratch[threadIdx.x] = x;
    __syncthreads();
  }
  __device__ int load() const {
    int value = scratch[0];
    __syncthreads();
    return value;
  }
};

// One barrier between two uses of one condition is one barrier, however the compiler arranges it.
__global__ void split(int* d, bool c) {
  __shared__ int s[64];
  const int t = static_cast<int>(threadIdx.x);
  const bool mine = c && t < 32;
  if (mine) s[t] = t;
  __syncthreads();
  if (mine) d[t] = s[31 - t];
}

__global__ void k(int* d) {
  __shared__ int scratch[64];
  const int t = static_cast<int>(threadIdx.x);
  int sum = block_sum(t, scratch);
  sum += block_sum(1, scratch);
  sum += forced(t, scratch);
  Tile tile(scratch);
  tile.store(5);
  sum += tile.load();
  auto exchange = [&](int x) {
    scratch[t] = x;
    __syncthreads();
    int value = scratch[63 - t];
    __syncthreads();
    return value;
  };
  sum += exchange(t);
  d[t] = sum + __syncthreads_count(t < 3);
}

int main() {
  int* d = device_ints(64);
  k<<<1, 64>>>(d);
  CHECK(cudaGetLastError() == cudaSuccess);
  for (int t = 0; t < 64; t += 21) {
    CHECK(value_at(d, t) == 63 * 32 + 64 + 2 * (63 - t) + 5 + 3);
  }
  split<<<1, 64>>>(d, true);
  CHECK(value_at(d, 0) == 31);
}

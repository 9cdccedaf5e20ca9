// Dynamic shared memory, in functions and at file scope.
#include "construct.h"

__global__ void in_function(int* d) {
  extern __shared__ int s[];
  s[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  d[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void two_dimensional(int* d) {
  extern __shared__ __align__(16) int rows[][4];
  rows[threadIdx.x][2] = 3;
  d[threadIdx.x] = rows[threadIdx.x][2];
}

template <class T>
__global__ void bytes(T* d) {
  extern __shared__ unsigned char raw[];
  T* values = reinterpret_cast<T*>(raw);
  values[threadIdx.x] = 4;
  d[threadIdx.x] = values[threadIdx.x];
}

extern __shared__ int everywhere[];

__device__ int read(int i) { return everywhere[i]; }

__global__ void file_scope(int* d) {
  everywhere[threadIdx.x] = 5;
  int* alias = everywhere + 1;
  alias[0] = 6;
  d[threadIdx.x] = read(static_cast<int>(threadIdx.x));
}

int main() {
  int* d = device_ints(8);
  in_function<<<1, 8, 8 * sizeof(int)>>>(d);
  CHECK(value_at(d, 0) == 7);
  two_dimensional<<<1, 8, 8 * sizeof(int[4])>>>(d);
  CHECK(value_at(d, 7) == 3);
  bytes<<<1, 8, 8 * sizeof(int)>>>(d);
  CHECK(value_at(d, 7) == 4);
  file_scope<<<1, 1, 2 * sizeof(int)>>>(d);
  CHECK(value_at(d, 0) == 5);
}

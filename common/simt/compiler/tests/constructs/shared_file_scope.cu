// Shared variables at file scope belong to the block that runs.
#include "construct.h"

__shared__ int counter;
__shared__ float values[16], more[2];

namespace {
static __shared__ int hidden[4];
}

__device__ void count() { atomicAdd(&counter, 1); }

__global__ void k(int* d) {
  if (threadIdx.x == 0) counter = 0;
  values[threadIdx.x] = static_cast<float>(threadIdx.x);
  if (threadIdx.x < 4) hidden[threadIdx.x] = 2;
  if (threadIdx.x < 2) more[threadIdx.x] = 1;
  __syncthreads();
  count();
  __syncthreads();
  if (threadIdx.x == 0) {
    d[blockIdx.x] = counter + static_cast<int>(values[15]) + hidden[3] + static_cast<int>(more[1]);
  }
}

__global__ void unrelated(int* d, int counter) {
  d[0] = counter;  // the parameter, not the shared variable
}

__global__ void local(int* d) {
  int counter = 9;
  {
    int values = 1;
    counter += values;
  }
  d[0] = counter;
}

int main() {
  int* d = device_ints(2);
  k<<<2, 16>>>(d);
  CHECK(value_at(d, 0) == 16 + 15 + 2 + 1);
  CHECK(value_at(d, 1) == 16 + 15 + 2 + 1);
  unrelated<<<1, 1>>>(d, 3);
  CHECK(value_at(d, 0) == 3);
  local<<<1, 1>>>(d);
  CHECK(value_at(d, 0) == 10);
}

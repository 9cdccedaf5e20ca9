// A lambda of device code handed to a kernel template (nvcc: --extended-lambda).
#include "construct.h"

template <class F>
__global__ void run(F f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

template <class F>
void for_each(int n, F f) {
  run<<<(n + 31) / 32, 32>>>(f, n);
}

int main() {
  const int n = 40;
  int* d = device_ints(n);
  run<<<(n+31)/32,32>>>([=] __device__ (int i){ d[i]=i<<2; }, n);
  CHECK(value_at(d, 39) == 156);
  for_each(n, [=] __host__ __device__ (int i) { d[i] = i > 3 ? 1 : 2; });
  CHECK(value_at(d, 3) == 2);
  CHECK(value_at(d, 4) == 1);
}

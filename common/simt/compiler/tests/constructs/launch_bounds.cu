// More threads than __launch_bounds__ allows: the launch fails and the kernel does not run.
#include "construct.h"

constexpr int most = 64;
__global__ void __launch_bounds__(most) k(int* d) {
  d[0] = 1;
}
template <int N>
__global__ void __launch_bounds__(N, 1) tk(int* d) {
  d[0] = 2;
}

int main() {
  int* d = device_ints(1);
  k<<<1, 65>>>(d);
  CHECK(cudaGetLastError() != cudaSuccess);
  CHECK(value_at(d, 0) == 0);
  k<<<1, 64>>>(d);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(value_at(d, 0) == 1);
  tk<32><<<1, 32>>>(d);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(value_at(d, 0) == 2);
}

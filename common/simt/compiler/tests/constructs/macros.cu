// Launches that macros write, hide or receive.
#include "construct.h"

__global__ void k(int* d, const float* none, int n) {
  d[0] = (none == nullptr ? 10 : 20) + n;
}
template <int N>
__global__ void vec(int* d) {
  d[0] = N;
}
template <int N>
__global__ void vec4_kernel(int* d) {
  d[0] = N * 100;
}

#define LAUNCH(kern,g,b,...) kern<<<(g),(b)>>>(__VA_ARGS__)
#define CHECK_LAUNCH(...) do { __VA_ARGS__; CHECK(cudaGetLastError() == cudaSuccess); } while (0)
#define OPEN <<<
#define CLOSE >>>
#define RUN(n) vec##n##_kernel<n><<<1,32>>>(d)
#define CONFIG 1, 32
#define NAME(x) x

int main() {
  int* d = device_ints(1);
  int n = 32;
  LAUNCH(k,n/32,32,d,NULL,n);
  CHECK(value_at(d, 0) == 42);
  CHECK_LAUNCH(k<<<1, 32>>>(d,NULL,1));
  CHECK(value_at(d, 0) == 11);
  k OPEN 1,32 CLOSE (d,NULL,2);
  CHECK(value_at(d, 0) == 12);
  RUN(4);
  CHECK(value_at(d, 0) == 400);
  NAME(vec)<5> <<<CONFIG>>> (d);
  CHECK(value_at(d, 0) == 5);
}

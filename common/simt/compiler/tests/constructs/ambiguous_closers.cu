// ">>>" inside a configuration: the last one before the arguments closes it.
#include "construct.h"

template <class T>
struct Q {};
template <class T>
__host__ __device__ int h(int n) {
  return n;
}
__global__ void k(int* d) {
  d[0] = static_cast<int>(gridDim.x);
}

int main() {
  int* d = device_ints(1);
  int n = 3;
  k<<<h<Q<Q<int>>>(n),1>>>(d);
  CHECK(value_at(d, 0) == 3);
  k<<<h<Q<Q<int>> >(n+1),1>>>(d);
  CHECK(value_at(d, 0) == 4);
}

// Directives inside a launch, and text that the preprocessor drops.
#include "construct.h"

__global__ void k(int* d) {
  d[0] = static_cast<int>(blockDim.x);
}

#if 0
it's broken k<<<1,1>>>( "
#endif

int main() {
  int* d = device_ints(1);
  k<<<1,1
#ifdef BIG
  ,1024
#endif
  >>>(d);
  CHECK(value_at(d, 0) == 1);
#define BIG
  k<<<1,2
#ifdef BIG
  ,1024
#endif
  >>>(d);
  CHECK(value_at(d, 0) == 2);
#line 100 "elsewhere.cu"
  k<<<1, 3>>>(d);
  CHECK(__LINE__ == 101);
  CHECK(value_at(d, 0) == 3);
}

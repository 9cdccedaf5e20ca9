// Shifts, braces, character literals, digit separators and spaced chevrons in configurations.
#include "construct.h"

__global__ void k(int* d) {
  d[0] = static_cast<int>(gridDim.x * 100 + blockDim.x);
  d[1] = static_cast<int>(gridDim.y * 100 + blockDim.y);
}

int main() {
  int* d = device_ints(2);
  int a = 4, b = 32;
  char q = '"';
  k<<<a>>1, b>>2>>>(d);
  CHECK(value_at(d, 0) == 208);
  k<<<{1,2,1},{32,1,1}>>>(d);
  CHECK(value_at(d, 0) == 132);
  CHECK(value_at(d, 1) == 201);
  k<<<1, q=='"'?1:2>>>(d);
  CHECK(value_at(d, 0) == 101);
  int x=1'000'000;
  CHECK(x == 1000000);
  k<<<x/1'000'000, '\''-38>>>(d);
  CHECK(value_at(d, 0) == 101);
  k<< <1, 1>> >(d);
  CHECK(value_at(d, 0) == 101);
  k<<< dim3(1, 1), dim3(2) >>>(d);
  CHECK(value_at(d, 0) == 102);
  k<<<1, (a > 3 && b >= 32) ? 4 : 2, 0, nullptr>>>(d);
  CHECK(value_at(d, 0) == 104);
  k<<<
      1
      ,
      3
      >>>
      (
      d
      )
      ;
  CHECK(value_at(d, 0) == 103);
}

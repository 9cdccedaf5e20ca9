// A launch is an expression of type void, wherever one may stand.
#include "construct.h"

__global__ void k(int* d) {
  if (threadIdx.x == 0) atomicAdd(d, static_cast<int>(gridDim.x) > 1 && blockIdx.x > 0 ? 0 : 1);
}

static void returns(int* d) { return k<<<1, 1>>>(d); }

int main() {
  int* d = device_ints(1);
  bool b = true;
  if(b) k<<<1,1>>>(d); else k<<<2,1>>>(d);
  CHECK(value_at(d, 0) == 1);
  b ? k<<<1,1>>>(d) : (void)0;
  CHECK(value_at(d, 0) == 2);
  cudaError_t e = (k<<<1,1>>>(d), cudaGetLastError());
  CHECK(e == cudaSuccess);
  CHECK(value_at(d, 0) == 3);
  for (int i = 0; i < 3; ++i) k<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 6);
  do k<<<1,1>>>(d); while (false);
  switch (b) { case true: k<<<1,1>>>(d); break; default: k<<<1,1>>>(d); }
  CHECK(value_at(d, 0) == 8);
  returns(d);
  k<<<1,1>>>(d), k<<<1,1>>>(d);
  CHECK(value_at(d, 0) == 11);
  (void)k<<<1,1>>>(d);
  { k<<<1,1>>>(d); }
  label: k<<<1,1>>>(d);
  if (!b) goto label;
  CHECK(value_at(d, 0) == 14);
}

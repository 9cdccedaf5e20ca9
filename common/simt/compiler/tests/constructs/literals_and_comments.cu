// Chevrons in strings, raw strings and comments stay as they are; a launch may span lines.
#include "construct.h"

#include <string.h>

__global__ void k(int* d, int n) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  d[0] = n + static_cast<int>(blockDim.x) * s[threadIdx.x];
}

int main() {
  int* d = device_ints(1);
  const int n = 4, g = 1;
  cudaStream_t s = 0;
  const char*r=R"x(k<<<9,9>>>(")x";  k /*n*/ <<< // g
    (n+255)/256 /* >>> */, 256, n*256, s >>>
    (d,n);
  CHECK(value_at(d, 0) == 260);
  CHECK(strcmp(r, "k<<<9,9>>>(\"") == 0);
  const char* q = "k<<<1,1>>>(d)" /* k<<<1,1>>>(d) */; // k<<<1,1>>>(d)
  CHECK(strlen(q) == 13);
  k<<<1, g, sizeof(int), NULL>>>(d, '"' == 34 ? 7 : 8);
  CHECK(value_at(d, 0) == 8);
}

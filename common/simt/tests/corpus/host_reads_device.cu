// fault: host_access
// note: host code reads device memory
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  float* a;
  cudaMalloc(&a, 8 * sizeof(float));
  cudaMemset(a, 0, 8 * sizeof(float));
#ifdef FIXED
  float x;
  cudaMemcpy(&x, a + 3, sizeof(x), cudaMemcpyDeviceToHost);
#else
  const float x = a[3];  // FAULT
#endif
  std::printf("%g\n", x);
  cudaFree(a);
}

// fault: use_after_free
// error: cudaErrorInvalidValue
// note: a copy reads an array that was freed
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  float host[32];
  float* a;
  cudaMalloc(&a, sizeof(host));
  cudaMemset(a, 0, sizeof(host));
#ifndef FIXED
  cudaFree(a);
#endif
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);  // FAULT
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

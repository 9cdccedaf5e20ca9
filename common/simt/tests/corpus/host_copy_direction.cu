// fault: host_access
// error: cudaErrorInvalidValue
// note: a copy says the wrong direction
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  float host[16] = {};
  float* a;
  cudaMalloc(&a, sizeof(host));
#ifdef FIXED
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyDeviceToHost);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(a);
}

// fault: out_of_bounds
// error: cudaErrorInvalidValue
// note: a copy is longer than the array on the device
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  const std::vector<float> host(64, 1.0f);
  float* a;
  cudaMalloc(&a, 60 * sizeof(float));
#ifdef FIXED
  cudaMemcpy(a, host.data(), 60 * sizeof(float), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(a);
}

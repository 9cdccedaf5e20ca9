// fault: use_after_free
// error: cudaErrorInvalidValue
// note: an array is freed twice
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  float* a;
  cudaMalloc(&a, 128);
  cudaFree(a);
#ifndef FIXED
  cudaFree(a);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

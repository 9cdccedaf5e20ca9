// fault: launch_error
// error: cudaErrorInvalidConfiguration
// note: the grid's y is larger than 65535
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* out) {
  if (blockIdx.x == 0 && blockIdx.y == 0) *out = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
#ifdef FIXED
  count<<<dim3(65536, 1), 1>>>(out);
#else
  count<<<dim3(1, 65536), 1>>>(out);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(out);
}

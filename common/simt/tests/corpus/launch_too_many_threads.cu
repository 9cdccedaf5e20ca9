// fault: launch_error
// error: cudaErrorInvalidConfiguration
// note: a block of 33 by 32 threads is larger than 1024
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* out) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 33 * 32 * sizeof(float));
#ifdef FIXED
  fill<<<1, dim3(32, 32)>>>(out);
#else
  fill<<<1, dim3(33, 32)>>>(out);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: launch_error
// error: cudaErrorInvalidValue
// note: more than 48 KiB of dynamic shared memory without asking for it
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

int main() {
  const int bytes = 64 << 10;
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
#ifdef FIXED
  cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
#endif
  fill<<<1, 64, bytes>>>(out);  // FAULT
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: launch_error
// error: cudaErrorInvalidConfiguration
// note: n / 256 blocks for n < 256: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1;
}

int main() {
  const int n = 100;
  float* out;
  cudaMalloc(&out, n * sizeof(float));
#ifdef FIXED
  fill<<<(n + 255) / 256, 256>>>(out, n);
#else
  fill<<<n / 256, 256>>>(out, n);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(out);
}

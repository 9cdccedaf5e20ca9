// fault: race
// note: __syncwarp where the other thread is in another warp
#include <cuda_runtime.h>

__global__ void across(float* x) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  x[t] = s[t ^ 32];  // FAULT
}

int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  across<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

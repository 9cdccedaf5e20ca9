// fault: barrier_divergence
// note: __syncwarp names lanes that wait at the block's barrier
#include <cuda_runtime.h>

__global__ void halves(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = t;
#ifdef FIXED
  if (t < 16) __syncwarp(0x0000ffff);
#else
  if (t < 16) __syncwarp(0xffffffff);  // FAULT
#endif
  __syncthreads();
  out[t] = s[31 - t];
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  halves<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

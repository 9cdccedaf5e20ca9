// fault: barrier_divergence
// note: a lane calls __syncwarp with a mask that does not name it
#include <cuda_runtime.h>

__global__ void exchange(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
#ifdef FIXED
  __syncwarp(0xffffffff);
#else
  __syncwarp(0x0000ffff);  // FAULT
#endif
  out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  exchange<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: race
// note: each half of a warp waits for itself, then reads what the other half wrote
#include <cuda_runtime.h>

__global__ void swap_halves(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = t;
#ifdef FIXED
  __syncwarp();
#else
  __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
#endif
  out[t] = s[t ^ 16];  // FAULT
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  swap_halves<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: race
// note: a lane reads its neighbour's element of shared memory, and nothing orders them
#include <cuda_runtime.h>

__global__ void neighbours(float* x) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = x[t];
#ifdef FIXED
  __syncwarp();
#endif
  x[t] = s[t ^ 1];  // FAULT
}

int main() {
  float* x;
  cudaMalloc(&x, 32 * sizeof(float));
  cudaMemset(x, 0, 32 * sizeof(float));
  neighbours<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

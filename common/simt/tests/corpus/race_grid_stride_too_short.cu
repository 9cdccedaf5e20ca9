// fault: race
// note: a grid-stride loop steps by the block: all blocks update the same elements
#include <cuda_runtime.h>

__global__ void increment(float* x, int n) {
#ifdef FIXED
  const int stride = gridDim.x * blockDim.x;
#else
  const int stride = blockDim.x;
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    x[i] += 1;  // FAULT
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  increment<<<2, 32>>>(x, 256);
  cudaDeviceSynchronize();
  cudaFree(x);
}

// fault: race
// note: thread 0 stores a value for the block, which reads it at once
#include <cuda_runtime.h>

__global__ void scale(float* x) {
  __shared__ float factor;
  const int t = threadIdx.x;
  if (t == 0) factor = 1 / (1 + x[0] * x[0]);
#ifdef FIXED
  __syncthreads();
#endif
  x[64 + t] = factor * t;  // FAULT
}

int main() {
  float* x;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  scale<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

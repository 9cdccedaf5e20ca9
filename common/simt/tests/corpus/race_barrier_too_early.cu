// fault: race
// note: the barrier stands before the store that it should follow
#include <cuda_runtime.h>

__global__ void rotate(int* x) {
  __shared__ int s[96];
  const int t = threadIdx.x;
#ifndef FIXED
  __syncthreads();
#endif
  s[t] = x[t];
#ifdef FIXED
  __syncthreads();
#endif
  x[t] = s[(t + 40) % 96];  // FAULT
}

int main() {
  int* x;
  cudaMalloc(&x, 96 * sizeof(int));
  cudaMemset(x, 0, 96 * sizeof(int));
  rotate<<<1, 96>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

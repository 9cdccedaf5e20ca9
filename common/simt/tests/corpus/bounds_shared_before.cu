// fault: out_of_bounds
// note: the left neighbour of a shared array's first element
#include <cuda_runtime.h>

__global__ void left(float* x) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
#ifdef FIXED
  x[t] = t > 0 ? s[t - 1] : 0;
#else
  x[t] = s[t - 1];  // FAULT
#endif
}

int main() {
  float* x;
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  left<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

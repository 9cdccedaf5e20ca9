// fault: race
// note: a shared array is read backwards, and no barrier stands between the stores and the reads
#include <cuda_runtime.h>

__global__ void reverse(float* x) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = x[t];
#ifdef FIXED
  __syncthreads();
#endif
  x[t] = s[127 - t];  // FAULT
}

int main() {
  float* x;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  reverse<<<1, 128>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

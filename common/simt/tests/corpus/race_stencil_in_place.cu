// fault: race
// note: a shared array is smoothed in place: a neighbour may be old or new
#include <cuda_runtime.h>

__global__ void smooth(float* x) {
  __shared__ float s[130];
  const int t = threadIdx.x;
  for (int i = t; i < 130; i += 128) s[i] = x[i];
  __syncthreads();
  const float mean = (s[t] + s[t + 1] + s[t + 2]) / 3;
#ifdef FIXED
  __syncthreads();
#endif
  s[t + 1] = mean;  // FAULT
  x[t + 1] = mean;
}

int main() {
  float* x;
  cudaMalloc(&x, 130 * sizeof(float));
  cudaMemset(x, 0, 130 * sizeof(float));
  smooth<<<1, 128>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

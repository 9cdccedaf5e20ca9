// fault: race
// note: a scan adds in place: one barrier a step is one too few
#include <cuda_runtime.h>

__global__ void scan(int* x) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int other = t >= d ? s[t - d] : 0;
#ifdef FIXED
    __syncthreads();
#endif
    s[t] += other;  // FAULT
    __syncthreads();
  }
  x[t] = s[t];
}

int main() {
  int* x;
  cudaMalloc(&x, 64 * sizeof(int));
  cudaMemset(x, 0, 64 * sizeof(int));
  scan<<<1, 64>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}

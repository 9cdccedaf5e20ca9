// fault: out_of_bounds
// note: the launch gives dynamic shared memory in elements, not in bytes
#include <cuda_runtime.h>

__global__ void reverse(float* x) {
  extern __shared__ float s[];
  const int t = threadIdx.x;
  s[t] = x[t];  // FAULT
  __syncthreads();
  x[t] = s[blockDim.x - 1 - t];
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
#ifdef FIXED
  reverse<<<1, 256, 256 * sizeof(float)>>>(x);
#else
  reverse<<<1, 256, 256>>>(x);
#endif
  cudaDeviceSynchronize();
  cudaFree(x);
}

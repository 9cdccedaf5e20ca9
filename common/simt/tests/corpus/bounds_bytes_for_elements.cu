// fault: out_of_bounds
// note: cudaMalloc is given the number of elements, not of bytes
#include <cuda_runtime.h>

__global__ void fill(float* a) {
  a[threadIdx.x] = threadIdx.x;  // FAULT
}

int main() {
  float* a;
#ifdef FIXED
  cudaMalloc(&a, 1024 * sizeof(float));
#else
  cudaMalloc(&a, 1024);
#endif
  fill<<<1, 1024>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// fault: out_of_bounds
// cpu: missed
// note: an index so far off that it hits another array
#include <cuda_runtime.h>

__global__ void fill(float* a, long offset) {
  a[threadIdx.x + offset] = 1;  // FAULT
}

int main() {
  float *a, *b;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&b, 64 * sizeof(float));
#ifdef FIXED
  fill<<<1, 64>>>(a, 0);
#else
  fill<<<1, 64>>>(a, b - a);
#endif
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}

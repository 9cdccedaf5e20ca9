// fault: out_of_bounds
// note: the guard says <= where it must say <
#include <cuda_runtime.h>

__global__ void ones(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) a[i] = 1;
#else
  if (i <= n) a[i] = 1;  // FAULT
#endif
}

int main() {
  float* a;
  cudaMalloc(&a, 100 * sizeof(float));
  ones<<<4, 32>>>(a, 100);
  cudaDeviceSynchronize();
  cudaFree(a);
}

// fault: leak
// cpu: missed
// note: device memory that is never freed
#include <cuda_runtime.h>

__global__ void fill(float* a) {
  a[threadIdx.x] = 1;
}

int main() {
  float* a;
  cudaMalloc(&a, 256 * sizeof(float));  // FAULT
  fill<<<1, 256>>>(a);
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(a);
#endif
}

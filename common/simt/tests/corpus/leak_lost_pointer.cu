// fault: leak
// cpu: missed
// note: an array is allocated in a loop, and only the last is freed
#include <cuda_runtime.h>

__global__ void fill(float* a) {
  a[threadIdx.x] = 1;
}

int main() {
  float* a = nullptr;
  for (int step = 0; step < 3; ++step) {
    cudaMalloc(&a, 64 * sizeof(float));  // FAULT
    fill<<<1, 64>>>(a);
    cudaDeviceSynchronize();
#ifdef FIXED
    cudaFree(a);
#endif
  }
#ifndef FIXED
  cudaFree(a);
#endif
}

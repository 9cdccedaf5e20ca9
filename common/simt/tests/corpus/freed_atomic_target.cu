// fault: use_after_free
// note: the sum that atomics add to was freed
#include <cuda_runtime.h>

__global__ void add(float* sum) {
  atomicAdd(sum, 1.0f);  // FAULT
}

int main() {
  float* sum;
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
#ifndef FIXED
  cudaFree(sum);
#endif
  add<<<1, 32>>>(sum);
  cudaDeviceSynchronize();
}

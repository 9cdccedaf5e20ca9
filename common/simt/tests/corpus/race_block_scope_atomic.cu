// fault: race
// note: an atomic of block scope counts for several blocks
#include <cuda_runtime.h>

__global__ void count(int* counter) {
#ifdef FIXED
  atomicAdd(counter, 1);
#else
  atomicAdd_block(counter, 1);  // FAULT
#endif
}

int main() {
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<4, 32>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
}

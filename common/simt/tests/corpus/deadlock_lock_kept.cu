// fault: deadlock
// note: a block takes a lock and never gives it back
#include <cuda_runtime.h>

__global__ void add(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {  // FAULT
  }
  __threadfence();
  *sum += 1;
  __threadfence();
#ifdef FIXED
  atomicExch(lock, 0);
#endif
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<4, 32>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
}

// fault: race
// note: a lock is taken atomically and given back with a plain store
#include <cuda_runtime.h>

__global__ void add(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;
  __threadfence();
#ifdef FIXED
  atomicExch(lock, 0);
#else
  *lock = 0;  // FAULT
#endif
}

int main() {
  int *lock, *sum;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<8, 32>>>(lock, sum);
  cudaDeviceSynchronize();
  cudaFree(lock);
  cudaFree(sum);
}

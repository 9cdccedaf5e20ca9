// fault: race
// note: a block reads the counter plainly, counts with it after a barrier, and other blocks count
// too
#include <cuda_runtime.h>

__global__ void tickets(int* counter, int* seen) {
#ifdef FIXED
  if (threadIdx.x == 0) seen[blockIdx.x] = atomicAdd(counter, 0);
#else
  if (threadIdx.x == 0) seen[blockIdx.x] = *counter;  // FAULT
#endif
  __syncthreads();
  atomicAdd(counter, 1);
}

int main() {
  int *counter, *seen;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&seen, 3 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  tickets<<<3, 32>>>(counter, seen);
  cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(seen);
}

// fault: race
// note: block 0 sets the counter and counts with it after a barrier, which orders its own threads
// alone
#include <cuda_runtime.h>

__global__ void count_positive(const int* in, int* counter) {
#ifndef FIXED
  if (blockIdx.x == 0 && threadIdx.x == 0) *counter = 0;  // FAULT
#endif
  __syncthreads();
  if (in[blockIdx.x * blockDim.x + threadIdx.x] >= 0) atomicAdd(counter, 1);
}

int main() {
  int *in, *counter;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&counter, sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count_positive<<<4, 64>>>(in, counter);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(counter);
}

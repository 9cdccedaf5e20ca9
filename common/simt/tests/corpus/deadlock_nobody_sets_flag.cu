// fault: deadlock
// note: a thread waits for a flag that nobody sets
#include <cuda_runtime.h>

__global__ void wait_for(int* flag) {
#ifdef FIXED
  if (threadIdx.x == 32) atomicExch(flag, 1);
#endif
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {  // FAULT
    }
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait_for<<<1, 64>>>(flag);
  cudaDeviceSynchronize();
  cudaFree(flag);
}

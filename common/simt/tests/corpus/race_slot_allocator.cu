// fault: race
// note: slots are handed out by reading and raising a plain counter, one thread a block
#include <cuda_runtime.h>

__global__ void allocate(int* counter, int* slots) {
#ifdef FIXED
  const int slot = atomicAdd(counter, 1);
#else
  const int slot = *counter;  // FAULT
  *counter = slot + 1;        // FAULT
#endif
  slots[blockIdx.x] = slot;
}

int main() {
  int *counter, *slots;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&slots, 16 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  allocate<<<16, 1>>>(counter, slots);
  cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(slots);
}

// fault: deadlock
// note: a thread spins until another sets a flag, which that one does after the barrier
#include <cuda_runtime.h>

__global__ void meet(volatile int* flag, int* out) {
#ifdef FIXED
  if (threadIdx.x == 32) *flag = 1;
  __syncthreads();
#endif
  if (threadIdx.x == 0) {
    while (*flag == 0) {  // FAULT
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) *flag = 1;
  out[threadIdx.x] = 1;
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  meet<<<1, 64>>>(flag, out);
  cudaDeviceSynchronize();
  cudaFree(flag);
  cudaFree(out);
}

// fault: race
// note: a counter is raised atomically and read plainly in the same launch
#include <cuda_runtime.h>

__global__ void count(int* counter, int* out) {
#ifdef FIXED
  out[threadIdx.x] = atomicAdd(counter, 1);
#else
  atomicAdd(counter, 1);
  out[threadIdx.x] = *counter;  // FAULT
#endif
}

int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  count<<<1, 64>>>(counter, out);
  cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(out);
}

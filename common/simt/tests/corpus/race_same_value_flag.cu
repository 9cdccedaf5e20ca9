// fault: race
// note: all threads store the same value plainly
#include <cuda_runtime.h>

__global__ void any_zero(const int* in, int* found) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 0) {
#ifdef FIXED
    atomicExch(found, 1);
#else
    *found = 1;  // FAULT
#endif
  }
}

int main() {
  int *in, *found;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  cudaMemset(found, 0, sizeof(int));
  any_zero<<<2, 64>>>(in, found);
  cudaDeviceSynchronize();
}

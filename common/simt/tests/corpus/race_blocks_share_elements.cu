// fault: race
// note: the index leaves out blockIdx: all blocks write the same elements
#include <cuda_runtime.h>

__global__ void ids(int* out) {
#ifdef FIXED
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  const int i = threadIdx.x;
#endif
  out[i] = blockIdx.x;  // FAULT
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  ids<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

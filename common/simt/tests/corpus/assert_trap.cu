// fault: device_assert
// note: a kernel stops itself with __trap
#include <cuda_runtime.h>

__global__ void check(const int* in) {
  if (in[threadIdx.x] != 0) __trap();  // FAULT
}

int main() {
  int* in;
  cudaMalloc(&in, 32 * sizeof(int));
#ifdef FIXED
  cudaMemset(in, 0, 32 * sizeof(int));
#else
  cudaMemset(in, 1, 32 * sizeof(int));
#endif
  check<<<1, 32>>>(in);
  cudaDeviceSynchronize();
  cudaFree(in);
}

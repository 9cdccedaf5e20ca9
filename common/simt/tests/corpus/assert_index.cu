// fault: device_assert
// note: an assert in a kernel does not hold
#include <cuda_runtime.h>

#include <cassert>

__global__ void check(const int* in, int n) {
  assert(in[threadIdx.x] < n);  // FAULT
}

int main() {
  int* in;
  cudaMalloc(&in, 32 * sizeof(int));
#ifdef FIXED
  cudaMemset(in, 0, 32 * sizeof(int));
#else
  cudaMemset(in, 1, 32 * sizeof(int));
#endif
  check<<<1, 32>>>(in, 1000);
  cudaDeviceSynchronize();
  cudaFree(in);
}

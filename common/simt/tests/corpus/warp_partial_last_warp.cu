// fault: uninitialized_read
// note: the last warp is not full: shuffles take from lanes that do not exist
#include <cuda_runtime.h>

__global__ void sum(int* out) {
  int x = threadIdx.x < 20 ? 1 : 0;
  for (int d = 16; d > 0; d /= 2) {
    x += __shfl_down_sync(0xffffffff, x, d);  // FAULT
  }
  if (threadIdx.x == 0) *out = x;
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
#ifdef FIXED
  sum<<<1, 32>>>(out);
#else
  sum<<<1, 20>>>(out);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: arithmetic
// note: a shift by as many bits as the type has
#include <cuda_runtime.h>

__global__ void lanes_below(unsigned* out) {
#ifdef FIXED
  out[threadIdx.x] = (1u << threadIdx.x) - 1;
#else
  out[threadIdx.x] = (1u << (threadIdx.x + 1)) - 1;  // FAULT
#endif
}

int main() {
  unsigned* out;
  cudaMalloc(&out, 32 * sizeof(unsigned));
  lanes_below<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: out_of_bounds
// note: an array that was never allocated
#include <cuda_runtime.h>

__global__ void fill(float* out) {
  out[threadIdx.x] = 1;  // FAULT
}

int main() {
  float* out = nullptr;
#ifdef FIXED
  cudaMalloc(&out, 32 * sizeof(float));
#endif
  fill<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: use_after_free
// note: scratch memory is freed after the first of two kernels
#include <cuda_runtime.h>

__global__ void first(float* scratch) {
  scratch[threadIdx.x] = threadIdx.x;
}
__global__ void second(const float* scratch, float* out) {
  out[threadIdx.x] = scratch[31 - threadIdx.x];  // FAULT
}

int main() {
  float *scratch, *out;
  cudaMalloc(&scratch, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  first<<<1, 32>>>(scratch);
#ifndef FIXED
  cudaFree(scratch);
#endif
  second<<<1, 32>>>(scratch, out);
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(scratch);
#endif
  cudaFree(out);
}

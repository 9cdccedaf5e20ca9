// fault: use_after_free
// note: an array is freed before the kernel that reads it
#include <cuda_runtime.h>

__global__ void copy(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
#ifndef FIXED
  cudaFree(in);
#endif
  copy<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(in);
#endif
  cudaFree(out);
}

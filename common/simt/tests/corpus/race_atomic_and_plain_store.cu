// fault: race
// note: block 0 sets the sum to zero while other blocks add to it
#include <cuda_runtime.h>

__global__ void sum(const float* in, float* out) {
#ifndef FIXED
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;  // FAULT
#endif
  atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  cudaMemset(out, 0, sizeof(float));
  sum<<<4, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

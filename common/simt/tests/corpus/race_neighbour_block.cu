// fault: race
// note: a block reads what its neighbour writes in the same launch
#include <cuda_runtime.h>

__global__ void step(float* x, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
  x[i] = i;
#endif
  out[i] = i > 0 ? x[i - 1] : 0;  // FAULT
}
__global__ void fill(float* x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  float *x, *out;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  fill<<<128, 1>>>(x);
  step<<<128, 1>>>(x, out);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}

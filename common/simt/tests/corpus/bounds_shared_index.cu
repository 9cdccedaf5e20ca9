// fault: out_of_bounds
// note: a shared array has one element fewer than the block has threads
#include <cuda_runtime.h>

__global__ void copy(float* out) {
#ifdef FIXED
  __shared__ float s[64];
#else
  __shared__ float s[63];
#endif
  const int t = threadIdx.x;
  s[t] = t;  // FAULT
  __syncthreads();
  out[t] = s[t ^ 1];
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  copy<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: uninitialized_read
// note: a shared array that nobody ever writes
#include <cuda_runtime.h>

__global__ void copy(const float* in, float* out) {
  __shared__ float s[32];
#ifdef FIXED
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
#endif
  out[threadIdx.x] = s[31 - threadIdx.x];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
  copy<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: out_of_bounds
// note: an unsigned index falls below zero and becomes very large
#include <cuda_runtime.h>

__global__ void shift(const float* in, float* out) {
  const unsigned i = threadIdx.x;
#ifdef FIXED
  if (i < 2) return;
#endif
  out[i] = in[i - 2];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  shift<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

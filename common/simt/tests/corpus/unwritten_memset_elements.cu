// fault: uninitialized_read
// note: cudaMemset is given elements, not bytes: a quarter is set
#include <cuda_runtime.h>

__global__ void twice(const float* in, float* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
#ifdef FIXED
  cudaMemset(in, 0, 64 * sizeof(float));
#else
  cudaMemset(in, 0, 64);
#endif
  twice<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: uninitialized_read
// note: a local sum starts at no value
#include <cuda_runtime.h>

__global__ void sum(const float* in, float* out) {
#ifdef FIXED
  float s = 0;
#else
  float s;  // FAULT
#endif
  for (int i = 0; i < 8; ++i) s += in[i];  // FAULT
  *out = s;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 8 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 8 * sizeof(float));
  sum<<<1, 1>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

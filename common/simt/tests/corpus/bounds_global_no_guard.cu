// fault: out_of_bounds
// note: the grid is rounded up, and no guard holds back the last block
#include <cuda_runtime.h>

__global__ void twice(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i >= n) return;
#endif
  out[i] = 2 * in[i];  // FAULT
}

int main() {
  const int n = 1000;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  twice<<<(n + 127) / 128, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

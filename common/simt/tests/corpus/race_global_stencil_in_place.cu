// fault: race
// note: a row in global memory is smoothed in place, by many blocks
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0 || i >= n - 1) return;
  out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;  // FAULT
}

int main() {
  float *x, *y;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMalloc(&y, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
#ifdef FIXED
  smooth<<<4, 64>>>(x, y, 256);
#else
  smooth<<<4, 64>>>(x, x, 256);
#endif
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}

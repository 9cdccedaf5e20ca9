// fault: race
// note: the next row's value is stored before everyone has read this row's
#include <cuda_runtime.h>

__global__ void rows(const float* in, float* out) {
  __shared__ float first;
  const int t = threadIdx.x;
  for (int row = 0; row < 3; ++row) {
    if (t == 0) first = in[row * 64];  // FAULT
    __syncthreads();
    out[row * 64 + t] = in[row * 64 + t] - first;
#ifdef FIXED
    __syncthreads();
#endif
  }
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 192 * sizeof(float));
  cudaMalloc(&out, 192 * sizeof(float));
  cudaMemset(in, 0, 192 * sizeof(float));
  rows<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

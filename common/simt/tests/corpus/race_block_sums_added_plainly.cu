// fault: race
// note: each block adds its sum to the total with a plain +=
#include <cuda_runtime.h>

__global__ void total(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t != 0) return;
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += s[i];
#ifdef FIXED
  atomicAdd(out, sum);
#else
  *out += sum;  // FAULT
#endif
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  cudaMemset(out, 0, sizeof(float));
  total<<<4, 64>>>(in, out);
  cudaDeviceSynchronize();
}

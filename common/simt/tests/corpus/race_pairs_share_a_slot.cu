// fault: race
// note: two threads of a warp add to one element
#include <cuda_runtime.h>

__global__ void pair_sums(const float* in, float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  if (t < 32) s[t] = 0;
  __syncthreads();
#ifdef FIXED
  atomicAdd(&s[t / 2], in[t]);
#else
  s[t / 2] += in[t];  // FAULT
#endif
  __syncthreads();
  if (t < 32) out[t] = s[t];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  pair_sums<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: race
// note: a helper sums over the block twice and leaves its array before everyone has read it
#include <cuda_runtime.h>

__device__ float block_sum(float x, float* s) {
  s[threadIdx.x] = x;  // FAULT
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += s[i];
#ifdef FIXED
  __syncthreads();
#endif
  return sum;
}

__global__ void moments(const float* in, float* out) {
  __shared__ float s[64];
  const float x = in[threadIdx.x];
  const float mean = block_sum(x, s) / 64;
  out[threadIdx.x] = block_sum((x - mean) * (x - mean), s);
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  moments<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

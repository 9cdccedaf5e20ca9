// fault: barrier_divergence
// note: threads past the end return before the barrier
#include <cuda_runtime.h>

__global__ void copy(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
#ifdef FIXED
  s[threadIdx.x] = i < n ? in[i] : 0;
#else
  if (i >= n) return;
  s[threadIdx.x] = in[i];
#endif
  __syncthreads();  // FAULT
  if (i < n) out[i] = s[threadIdx.x];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 100 * sizeof(float));
  cudaMalloc(&out, 100 * sizeof(float));
  cudaMemset(in, 0, 100 * sizeof(float));
  copy<<<2, 64>>>(in, out, 100);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: barrier_divergence
// note: a helper with a barrier is called by some threads only
#include <cuda_runtime.h>

__device__ float exchange(float x, float* s) {
  s[threadIdx.x] = x;
  __syncthreads();  // FAULT
  return s[threadIdx.x ^ 1];
}

__global__ void half(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
#ifdef FIXED
  out[t] = exchange(t, s);
#else
  if (t < 32) out[t] = exchange(t, s);  // FAULT
#endif
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  half<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: barrier_divergence
// note: the two branches of a condition have a barrier each
#include <cuda_runtime.h>

__global__ void split(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
#ifdef FIXED
  __syncthreads();
  out[t] = t < 32 ? s[t + 32] : -s[t - 32];
#else
  if (t < 32) {
    __syncthreads();  // FAULT
    out[t] = s[t + 32];
  } else {
    __syncthreads();  // FAULT
    out[t] = -s[t - 32];
  }
#endif
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  split<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: barrier_divergence
// note: only half of each warp comes to the barrier
#include <cuda_runtime.h>

__global__ void even(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
#ifdef FIXED
  __syncthreads();
  if (t % 2 == 0) out[t] = s[63 - t];
#else
  if (t % 2 == 0) {
    __syncthreads();  // FAULT
    out[t] = t;
  }
#endif
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  even<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

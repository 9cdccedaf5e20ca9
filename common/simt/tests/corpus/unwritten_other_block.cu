// fault: uninitialized_read
// note: block 0 fills shared memory, and the other blocks expect to find it there
#include <cuda_runtime.h>

__global__ void table(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
#ifdef FIXED
  s[t] = t * t;
#else
  if (blockIdx.x == 0) s[t] = t * t;
#endif
  __syncthreads();
  out[blockIdx.x * 32 + t] = s[31 - t];  // FAULT
}

int main() {
  float* out;
  cudaMalloc(&out, 96 * sizeof(float));
  table<<<3, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

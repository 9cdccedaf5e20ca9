// fault: out_of_bounds
// note: past the end of a shared array through a pointer
#include <cuda_runtime.h>

__device__ void put(float* s, int i) {
  s[i] = i;  // FAULT
}

__global__ void fill(float* out) {
  __shared__ float s[32];
#ifdef FIXED
  put(s, threadIdx.x);
#else
  put(s, threadIdx.x + 1);
#endif
  __syncthreads();
  if (threadIdx.x > 0) out[threadIdx.x] = s[threadIdx.x];
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  fill<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: out_of_bounds
// note: past the end of an array at file scope
#include <cuda_runtime.h>

__device__ float table[16];

__global__ void store(float* out, int offset) {
  float* p = table;
  p[threadIdx.x + offset] = 1;  // FAULT
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 16 * sizeof(float));
#ifdef FIXED
  store<<<1, 16>>>(out, 0);
#else
  store<<<1, 16>>>(out, 1);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: uninitialized_read
// note: the result is accumulated with += in an array that nobody set
#include <cuda_runtime.h>

__global__ void dot(const float* a, float* out) {
#ifdef FIXED
  out[threadIdx.x] = 0;
#endif
  for (int k = 0; k < 4; ++k) {
    out[threadIdx.x] += a[k * 32 + threadIdx.x];  // FAULT
  }
}

int main() {
  float *a, *out;
  cudaMalloc(&a, 128 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(a, 0, 128 * sizeof(float));
  dot<<<1, 32>>>(a, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
}

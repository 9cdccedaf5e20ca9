// fault: arithmetic
// note: an integer division by zero, which a GPU does not stop at
#include <cuda_runtime.h>

__global__ void mean(const int* count, int* out) {
  const int n = count[threadIdx.x];
#ifdef FIXED
  out[threadIdx.x] = n == 0 ? 0 : 1000 / n;
#else
  out[threadIdx.x] = 1000 / n;  // FAULT
#endif
}

int main() {
  int *count, *out;
  cudaMalloc(&count, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(count, 0, 32 * sizeof(int));
  mean<<<1, 32>>>(count, out);
  cudaDeviceSynchronize();
  cudaFree(count);
  cudaFree(out);
}

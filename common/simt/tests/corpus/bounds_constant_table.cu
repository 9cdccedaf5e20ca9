// fault: out_of_bounds
// note: a table in constant memory has 8 elements and is asked for the ninth
#include <cuda_runtime.h>

__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void weigh(float* out, int n) {
#ifdef FIXED
  const int i = threadIdx.x % n;
#else
  const int i = threadIdx.x % (n + 1);
#endif
  out[threadIdx.x] = weights[i];  // FAULT
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  weigh<<<1, 32>>>(out, 8);
  cudaDeviceSynchronize();
  cudaFree(out);
}

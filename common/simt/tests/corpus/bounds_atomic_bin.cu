// fault: out_of_bounds
// note: a value lies outside the histogram: the atomic goes past its end
#include <cuda_runtime.h>

__global__ void histogram(const int* in, int* bins) {
#ifdef FIXED
  if (in[threadIdx.x] >= 8) return;
#endif
  atomicAdd(&bins[in[threadIdx.x]], 1);  // FAULT
}

int main() {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i % 9;
  int *in, *bins;
  cudaMalloc(&in, sizeof(values));
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 8 * sizeof(int));
  histogram<<<1, 32>>>(in, bins);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(bins);
}

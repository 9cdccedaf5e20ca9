// fault: race
// note: bins in global memory are counted with a plain += by all blocks
#include <cuda_runtime.h>

__global__ void histogram(const int* in, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  atomicAdd(&bins[in[i] % 8], 1);
#else
  bins[in[i] % 8] += 1;  // FAULT
#endif
}

int main() {
  int *in, *bins;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&bins, 8 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  cudaMemset(bins, 0, 8 * sizeof(int));
  histogram<<<4, 64>>>(in, bins);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(bins);
}

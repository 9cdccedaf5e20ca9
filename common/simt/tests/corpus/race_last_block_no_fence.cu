// fault: race
// note: the last block sums what the others stored, and nothing makes their stores visible to it
#include <cuda_runtime.h>

__device__ unsigned ticket;

__global__ void sum_of_blocks(float* partial, float* out) {
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = blockIdx.x;
#ifdef FIXED
  __threadfence();
#endif
  if (atomicAdd(&ticket, 1) != gridDim.x - 1) return;
#ifdef FIXED
  __threadfence();
#endif
  float sum = 0;
  for (unsigned i = 0; i < gridDim.x; ++i) sum += partial[i];  // FAULT
  *out = sum;
}

int main() {
  float *partial, *out;
  cudaMalloc(&partial, 8 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  sum_of_blocks<<<8, 32>>>(partial, out);
  cudaDeviceSynchronize();
  cudaFree(partial);
  cudaFree(out);
}

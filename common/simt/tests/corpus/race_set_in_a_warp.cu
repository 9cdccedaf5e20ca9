// fault: race
// note: a lane sets the sum and its warp meets before all warps of the block add to it
#include <cuda_runtime.h>

__global__ void block_sum(const int* in, int* out) {
  __shared__ int total;
  const int t = threadIdx.x;
  if (t == 0) total = 0;  // FAULT
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  atomicAdd(&total, in[t]);
  __syncthreads();
  if (t == 0) *out = total;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 96 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 96 * sizeof(int));
  block_sum<<<1, 96>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

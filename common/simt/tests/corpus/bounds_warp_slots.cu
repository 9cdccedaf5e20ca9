// fault: out_of_bounds
// note: one slot for each warp, but one warp more than slots
#include <cuda_runtime.h>

__global__ void ids(int* out) {
  __shared__ int slots[4];
  const int warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) slots[warp] = warp;  // FAULT
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = slots[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
#ifdef FIXED
  ids<<<1, 128>>>(out);
#else
  ids<<<1, 160>>>(out);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: race
// note: threads of a block exchange values through global memory without a barrier
#include <cuda_runtime.h>

__global__ void exchange(int* scratch, int* out) {
  const int t = threadIdx.x;
  scratch[t] = t * t;
#ifdef FIXED
  __syncthreads();
#endif
  out[t] = scratch[127 - t];  // FAULT
}

int main() {
  int *scratch, *out;
  cudaMalloc(&scratch, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(scratch, 0, 128 * sizeof(int));
  exchange<<<1, 128>>>(scratch, out);
  cudaDeviceSynchronize();
  cudaFree(scratch);
  cudaFree(out);
}

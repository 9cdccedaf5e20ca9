// fault: barrier_divergence
// note: a thread that has found its value leaves the loop with the barrier
#include <cuda_runtime.h>

__global__ void search(const int* in, int* out) {
  int found = -1;
  for (int i = 0; i < 4; ++i) {
    if (found < 0 && in[i * 64 + threadIdx.x] == 0) found = i;
#ifndef FIXED
    if (found >= 0 && threadIdx.x < 20) break;
#endif
    __syncthreads();  // FAULT
  }
  out[threadIdx.x] = found;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  search<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

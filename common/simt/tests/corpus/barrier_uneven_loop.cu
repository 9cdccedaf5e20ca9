// fault: barrier_divergence
// note: warps go round a loop with a barrier unequally often
#include <cuda_runtime.h>

__global__ void rounds(float* out) {
#ifdef FIXED
  const int trips = 3;
#else
  const int trips = threadIdx.x / 32 + 1;
#endif
  float x = 0;
  for (int i = 0; i < trips; ++i) {
    x += i;
    __syncthreads();  // FAULT
  }
  out[threadIdx.x] = x;
}

int main() {
  float* out;
  cudaMalloc(&out, 96 * sizeof(float));
  rounds<<<1, 96>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

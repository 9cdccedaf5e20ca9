// fault: barrier_divergence
// note: lanes go round a loop with a shuffle unequally often
#include <cuda_runtime.h>

__global__ void rounds(int* out) {
  const int lane = threadIdx.x;
#ifdef FIXED
  const int trips = 4;
#else
  const int trips = lane < 8 ? 2 : 4;
#endif
  int x = lane;
  for (int i = 0; i < trips; ++i) {
    x += __shfl_xor_sync(0xffffffff, x, 1);  // FAULT
  }
  out[lane] = x;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  rounds<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

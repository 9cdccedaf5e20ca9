// fault: barrier_divergence
// note: cooperative groups' block.sync() in a branch
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void partly(float* out) {
  const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
#ifdef FIXED
  block.sync();
#else
  if (threadIdx.x < 48) block.sync();  // FAULT
#endif
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  partly<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

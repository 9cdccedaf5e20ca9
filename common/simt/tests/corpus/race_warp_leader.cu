// fault: race
// note: lane 0 of each warp stores the warp's offset, which the other lanes read at once
#include <cuda_runtime.h>

__global__ void offsets(int* counter, int* out) {
  __shared__ int offset[2];
  const int t = threadIdx.x;
  if (t % 32 == 0) offset[t / 32] = atomicAdd(counter, 32);
#ifdef FIXED
  __syncwarp();
#endif
  out[offset[t / 32] + t % 32] = t;  // FAULT
}

int main() {
  int *counter, *out;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  offsets<<<1, 64>>>(counter, out);
  cudaDeviceSynchronize();
  cudaFree(counter);
  cudaFree(out);
}

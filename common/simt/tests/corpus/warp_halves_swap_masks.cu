// fault: barrier_divergence
// note: each half of a warp passes the other half's mask
#include <cuda_runtime.h>

__global__ void sums(int* out) {
  const int lane = threadIdx.x;
#ifdef FIXED
  const unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
#else
  const unsigned mask = lane < 16 ? 0xffff0000u : 0x0000ffffu;
#endif
  int x = lane;
  for (int d = 8; d > 0; d /= 2) {
    x += __shfl_xor_sync(mask, x, d);  // FAULT
  }
  out[lane] = x;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  sums<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: barrier_divergence
// note: a shuffle names all lanes, and half of them are elsewhere
#include <cuda_runtime.h>

__global__ void add(float* out) {
  const int lane = threadIdx.x;
  float x = lane;
#ifdef FIXED
  const float y = __shfl_down_sync(0xffffffff, x, 8);
  if (lane < 16) x += y;
#else
  if (lane < 16) x += __shfl_down_sync(0xffffffff, x, 8);  // FAULT
#endif
  out[lane] = x;
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  add<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

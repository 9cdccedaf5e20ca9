// fault: launch_error
// error: cudaErrorInvalidValue
// note: more threads than __launch_bounds__ promises
#include <cuda_runtime.h>

#include <cstdio>

__global__ void __launch_bounds__(64)
fill(float* out) {
  out[threadIdx.x] = 1;
}

int main() {
  float* out;
  cudaMalloc(&out, 128 * sizeof(float));
#ifdef FIXED
  fill<<<1, 64>>>(out);
#else
  fill<<<1, 128>>>(out);  // FAULT
#endif
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: race
// note: two arrays cut out of dynamic shared memory overlap: the second begins too early
#include <cuda_runtime.h>

__global__ void two_arrays(float* out) {
  extern __shared__ float memory[];
#ifdef FIXED
  constexpr int second = 64;
#else
  constexpr int second = 32;
#endif
  float* a = memory;
  float* b = memory + second;
  const int t = threadIdx.x;
  a[t] = t;
  b[t] = -t;  // FAULT
  __syncthreads();
  out[t] = a[t] + b[63 - t];
}

int main() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  two_arrays<<<1, 64, 128 * sizeof(float)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: barrier_divergence
// note: a barrier in a loop over elements that some threads leave earlier
#include <cuda_runtime.h>

__global__ void copy(float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
#ifdef FIXED
  for (int first = 0; first < n; first += 64) {
    const int i = first + t;
    s[t] = i;
    __syncthreads();
    if (i < n) out[i] = s[t];
  }
#else
  for (int i = t; i < n; i += 64) {
    s[t] = i;
    __syncthreads();  // FAULT
    out[i] = s[t];
  }
#endif
}

int main() {
  float* out;
  cudaMalloc(&out, 80 * sizeof(float));
  copy<<<1, 64>>>(out, 80);
  cudaDeviceSynchronize();
  cudaFree(out);
}

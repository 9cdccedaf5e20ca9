// fault: uninitialized_read
// note: a tile's halo is read, and nobody filled it
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out) {
  __shared__ float s[66];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
#ifdef FIXED
  if (t == 0) s[0] = s[65] = 0;
#endif
  __syncthreads();
  out[t] = s[t] + s[t + 1] + s[t + 2];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  smooth<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

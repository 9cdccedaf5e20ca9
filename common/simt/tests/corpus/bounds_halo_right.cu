// fault: out_of_bounds
// note: the last block loads a right halo that the array does not have
#include <cuda_runtime.h>

__global__ void smooth(const float* in, float* out, int n) {
  __shared__ float s[65];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = in[i];
#ifdef FIXED
  if (t == 63) s[64] = i + 1 < n ? in[i + 1] : 0;
#else
  if (t == 63) s[64] = in[i + 1];  // FAULT
#endif
  __syncthreads();
  out[i] = s[t] + s[t + 1] + 0 * n;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  smooth<<<4, 64>>>(in, out, 256);
  cudaDeviceSynchronize();
}

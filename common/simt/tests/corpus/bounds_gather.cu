// fault: out_of_bounds
// note: an index out of data is one too large
#include <cuda_runtime.h>

__global__ void gather(const float* in, const int* index, float* out) {
  out[threadIdx.x] = in[index[threadIdx.x]];  // FAULT
}

int main() {
  int host[32];
#ifdef FIXED
  for (int i = 0; i < 32; ++i) host[i] = i;
#else
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
#endif
  float *in, *out;
  int* index;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&index, sizeof(host));
  cudaMemset(in, 0, 32 * sizeof(float));
  cudaMemcpy(index, host, sizeof(host), cudaMemcpyHostToDevice);
  gather<<<1, 32>>>(in, index, out);
  cudaDeviceSynchronize();
}

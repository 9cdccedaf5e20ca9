// fault: out_of_bounds
// note: a kernel is given the address of a host array
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void copy(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // FAULT
}

int main() {
  float* host = static_cast<float*>(std::calloc(32, sizeof(float)));
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemcpy(in, host, 32 * sizeof(float), cudaMemcpyHostToDevice);
#ifdef FIXED
  copy<<<1, 32>>>(in, out);
#else
  copy<<<1, 32>>>(host, out);
#endif
  cudaDeviceSynchronize();
  std::free(host);
}

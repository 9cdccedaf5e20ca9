// fault: uninitialized_read
// note: the copy to the device is too short: sizeof a pointer
#include <cuda_runtime.h>

#include <vector>

__global__ void negate(const float* in, float* out) {
  out[threadIdx.x] = -in[threadIdx.x];  // FAULT
}

int main() {
  const std::vector<float> host(64, 1.0f);
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
#ifdef FIXED
  cudaMemcpy(in, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(in, host.data(), sizeof(in), cudaMemcpyHostToDevice);
#endif
  negate<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}

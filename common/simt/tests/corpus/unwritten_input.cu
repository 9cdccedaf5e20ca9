// fault: uninitialized_read
// note: the input was allocated, and the copy into it forgotten
#include <cuda_runtime.h>

__global__ void square(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x];  // FAULT
}

int main() {
  float host[32] = {};
  float *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
#ifdef FIXED
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
#endif
  square<<<1, 32>>>(in, out);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}

// fault: uninitialized_read
// note: the sum that atomics add to was never set to zero
#include <cuda_runtime.h>

__global__ void sum(const float* in, float* out) {
  atomicAdd(out, in[threadIdx.x]);  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 32 * sizeof(float));
#ifdef FIXED
  cudaMemset(out, 0, sizeof(float));
#endif
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: host_access
// note: host code fills device memory with a loop
#include <cuda_runtime.h>

__global__ void twice(float* a) {
  a[threadIdx.x] *= 2;
}

int main() {
  float* a;
  cudaMalloc(&a, 8 * sizeof(float));
#ifdef FIXED
  const float host[8] = {};
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
#else
  for (int i = 0; i < 8; ++i) a[i] = i;  // FAULT
#endif
  twice<<<1, 8>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}

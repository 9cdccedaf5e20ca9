// fault: host_access
// note: a struct's pointer is a device pointer, and the host follows it
#include <cuda_runtime.h>

#include <cstdio>

struct Vector {
  float* data;
  int length;
};

int main() {
  Vector v{nullptr, 4};
  cudaMalloc(&v.data, 4 * sizeof(float));
  cudaMemset(v.data, 0, 4 * sizeof(float));
  float sum = 0, host[4] = {};
#ifdef FIXED
  cudaMemcpy(host, v.data, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < v.length; ++i) sum += host[i];
#else
  for (int i = 0; i < v.length; ++i) sum += host[i] + v.data[i];  // FAULT
#endif
  std::printf("%g\n", sum);
  cudaFree(v.data);
}

// fault: out_of_bounds
// note: a kernel's own allocation is one element too small
#include <cuda_runtime.h>

__global__ void scratch(int* out) {
#ifdef FIXED
  int* p = static_cast<int*>(malloc(8 * sizeof(int)));
#else
  int* p = static_cast<int*>(malloc(7 * sizeof(int)));
#endif
  for (int i = 0; i < 8; ++i) p[i] = i;  // FAULT
  *out = p[3];
  free(p);
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  scratch<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: use_after_free
// note: a kernel reads its own allocation after free
#include <cuda_runtime.h>

__global__ void scratch(int* out) {
  int* p = static_cast<int*>(malloc(64 * sizeof(int)));
  for (int i = 0; i < 64; ++i) p[i] = *out + i;
#ifdef FIXED
  out[1] = p[*out + 40];
  free(p);
#else
  free(p);
  out[1] = p[*out + 40];  // FAULT
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(out, 0, 2 * sizeof(int));
  scratch<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

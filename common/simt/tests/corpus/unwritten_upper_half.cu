// fault: uninitialized_read
// note: one kernel fills a triangle, the next reads the square
#include <cuda_runtime.h>

__global__ void lower(float* a) {
  const int r = threadIdx.y, c = threadIdx.x;
  if (c <= r) a[r * 8 + c] = 1;
#ifdef FIXED
  if (c > r) a[r * 8 + c] = 0;
#endif
}
__global__ void column_sums(const float* a, float* out) {
  float sum = 0;
  for (int r = 0; r < 8; ++r) sum += a[r * 8 + threadIdx.x];  // FAULT
  out[threadIdx.x] = sum;
}

int main() {
  float *a, *out;
  cudaMalloc(&a, 64 * sizeof(float));
  cudaMalloc(&out, 8 * sizeof(float));
  lower<<<1, dim3(8, 8)>>>(a);
  column_sums<<<1, 8>>>(a, out);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(out);
}

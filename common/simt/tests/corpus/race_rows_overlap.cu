// fault: race
// note: a 2-D array in one dimension: the rows lie closer than they are long
#include <cuda_runtime.h>

__global__ void fill(float* out) {
  __shared__ float s[8 * 16];
#ifdef FIXED
  constexpr int stride = 16;
#else
  constexpr int stride = 12;
#endif
  const int x = threadIdx.x, y = threadIdx.y;
  s[y * stride + x] = 100 * y + x;  // FAULT
  __syncthreads();
  out[y * 16 + x] = s[y * stride + x];
}

int main() {
  float* out;
  cudaMalloc(&out, 128 * sizeof(float));
  fill<<<1, dim3(16, 8)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

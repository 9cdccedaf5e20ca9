// fault: race
// cpu: missed
// note: a kernel on a second stream reads what the first stream's kernel writes; nothing orders
// them
#include <cuda_runtime.h>

__global__ void fill(float* x) {
  x[threadIdx.x] = threadIdx.x;
}
__global__ void twice(const float* x, float* y) {
  y[threadIdx.x] = 2 * x[threadIdx.x];  // FAULT
}

int main() {
  float *x, *y;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  fill<<<1, 64, 0, a>>>(x);
#ifdef FIXED
  cudaStreamSynchronize(a);
#endif
  twice<<<1, 64, 0, b>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}

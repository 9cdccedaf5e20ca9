// fault: race
// note: a tiled matrix product without the barrier at the end of the step
#include <cuda_runtime.h>

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float ta[8][8], tb[8][8];
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 16; k += 8) {
    ta[y][x] = a[y * 16 + k + x];   // FAULT
    tb[y][x] = b[(k + y) * 8 + x];  // FAULT
    __syncthreads();
    for (int i = 0; i < 8; ++i) sum += ta[y][i] * tb[i][x];
#ifdef FIXED
    __syncthreads();
#endif
  }
  c[y * 8 + x] = sum;
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, 128 * sizeof(float));
  cudaMalloc(&b, 128 * sizeof(float));
  cudaMalloc(&c, 64 * sizeof(float));
  cudaMemset(a, 0, 128 * sizeof(float));
  cudaMemset(b, 0, 128 * sizeof(float));
  product<<<1, dim3(8, 8)>>>(a, b, c);
  cudaDeviceSynchronize();
}

// fault: out_of_bounds
// note: a matrix is indexed with its number of rows as the row length
#include <cuda_runtime.h>

__global__ void fill(float* a, int rows, int columns) {
  const int r = threadIdx.y, c = threadIdx.x;
#ifdef FIXED
  a[r * columns + c] = r + c + 0 * rows;
#else
  a[r * rows + c] = r + c + 0 * columns;  // FAULT
#endif
}

int main() {
  const int rows = 16, columns = 8;
  float* a;
  cudaMalloc(&a, rows * columns * sizeof(float));
  fill<<<1, dim3(columns, rows)>>>(a, rows, columns);
  cudaDeviceSynchronize();
  cudaFree(a);
}

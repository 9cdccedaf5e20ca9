// fault: out_of_bounds
// note: a column past the end of its row: still inside the tile, but in the next row
#include <cuda_runtime.h>

__global__ void fill(float* out) {
  __shared__ float tile[4][8];
  const int x = threadIdx.x, y = threadIdx.y;
#ifdef FIXED
  tile[y][x] = x;
#else
  tile[y][x + 1] = x;  // FAULT
#endif
  __syncthreads();
  out[y * 8 + x] = x > 0 ? tile[y][x] : 0;
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  fill<<<1, dim3(8, 4)>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

// fault: race
// note: a 2-D tile is read by columns before its rows are all there
#include <cuda_runtime.h>

__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];
#ifdef FIXED
  __syncthreads();
#endif
  out[y * 16 + x] = tile[x][y];  // FAULT
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  transpose<<<1, dim3(16, 16)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

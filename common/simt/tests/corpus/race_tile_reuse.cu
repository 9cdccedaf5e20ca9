// fault: race
// note: a tile is filled again while slower threads still read it
#include <cuda_runtime.h>

__global__ void sums(const float* in, float* out) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[t] = in[step * 64 + t];  // FAULT
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[i];
#ifdef FIXED
    __syncthreads();
#endif
  }
  out[t] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  sums<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: barrier_divergence
// note: a shuffle names lanes that have returned
#include <cuda_runtime.h>

__global__ void sum(const float* in, float* out, int n) {
  const int lane = threadIdx.x;
#ifdef FIXED
  float x = lane < n ? in[lane] : 0;
#else
  if (lane >= n) return;
  float x = in[lane];
#endif
  for (int d = 16; d > 0; d /= 2) {
    x += __shfl_xor_sync(0xffffffff, x, d);  // FAULT
  }
  if (lane == 0) *out = x;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 20 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 20 * sizeof(float));
  sum<<<1, 32>>>(in, out, 20);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

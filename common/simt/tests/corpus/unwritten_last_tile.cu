// fault: uninitialized_read
// note: the last tile is only part full, and its rest is summed with it
#include <cuda_runtime.h>

__global__ void sum(const float* in, float* out, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
#ifdef FIXED
  tile[t] = t < n ? in[t] : 0;
#else
  if (t < n) tile[t] = in[t];
#endif
  __syncthreads();
  if (t != 0) return;
  float total = 0;
  for (int i = 0; i < 64; ++i) total += tile[i];  // FAULT
  *out = total;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 50 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 50 * sizeof(float));
  sum<<<1, 64>>>(in, out, 50);
  cudaDeviceSynchronize();
}

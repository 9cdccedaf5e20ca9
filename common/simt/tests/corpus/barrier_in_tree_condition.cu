// fault: barrier_divergence
// note: the barrier of a reduction stands inside its condition
#include <cuda_runtime.h>

__global__ void tree(const float* in, float* out) {
  __shared__ float s[128];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
#ifdef FIXED
    if (t < d) s[t] += s[t + d];
    __syncthreads();
#else
    if (t < d) {
      s[t] += s[t + d];
      __syncthreads();  // FAULT
    }
#endif
  }
  if (t == 0) *out = s[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  tree<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
}

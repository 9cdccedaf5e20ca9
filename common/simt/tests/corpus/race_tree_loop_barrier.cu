// fault: race
// note: a tree reduction whose loop has no barrier
#include <cuda_runtime.h>

__global__ void tree(const float* in, float* out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];  // FAULT
#ifdef FIXED
    __syncthreads();
#endif
  }
  if (t == 0) *out = s[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  tree<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

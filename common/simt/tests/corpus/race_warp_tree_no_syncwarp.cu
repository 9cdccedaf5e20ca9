// fault: race
// note: the last steps of a reduction trust that a warp runs in lockstep
#include <cuda_runtime.h>

__global__ void tree(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncwarp();
  for (int d = 32; d > 0; d /= 2) {
    float x = 0;
    if (t < d) x = s[t] + s[t + d];  // FAULT
#ifdef FIXED
    __syncwarp();
#endif
    if (t < d) s[t] = x;  // FAULT
#ifdef FIXED
    __syncwarp();
#endif
  }
  if (t == 0) *out = s[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  tree<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
}

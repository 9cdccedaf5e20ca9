// fault: race
// note: volatile does not order the lanes of a warp
#include <cuda_runtime.h>

__global__ void reduce(const float* in, float* out) {
  volatile __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncwarp();
#ifdef FIXED
  for (int d = 32; d > 0; d /= 2) {
    const float x = t < d ? s[t] + s[t + d] : 0;
    __syncwarp();
    if (t < d) s[t] = x;
    __syncwarp();
  }
#else
  s[t] += s[t + 32];
  if (t < 16) s[t] += s[t + 16];  // FAULT
#endif
  if (t == 0) *out = s[0];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  reduce<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
}

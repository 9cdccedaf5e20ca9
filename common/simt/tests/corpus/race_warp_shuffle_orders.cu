// fault: race
// note: a shuffle stands between store and read, but it does not order memory
#include <cuda_runtime.h>

__global__ void exchange(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = t;
  const float x = __shfl_xor_sync(0xffffffff, float(t), 1);
#ifdef FIXED
  __syncwarp();
#endif
  out[t] = x + s[t ^ 1];  // FAULT
}

int main() {
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  exchange<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

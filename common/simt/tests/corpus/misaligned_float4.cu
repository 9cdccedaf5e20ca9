// fault: misaligned
// note: a float4 load from an address one float off
#include <cuda_runtime.h>

__global__ void sums(const float* in, float* out, int offset) {
  const float* p = in + offset + 4 * threadIdx.x;
  const float4 v = *reinterpret_cast<const float4*>(p);  // FAULT
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
#ifdef FIXED
  sums<<<1, 32>>>(in, out, 4);
#else
  sums<<<1, 32>>>(in, out, 1);
#endif
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: out_of_bounds
// note: float4 loads run past an array whose length is no multiple of four
#include <cuda_runtime.h>

__global__ void sums(const float* in, float* out, int n) {
  const int i = 4 * threadIdx.x;
#ifdef FIXED
  if (i + 3 >= n) return;
#else
  if (i >= n) return;
#endif
  const float4 v = *reinterpret_cast<const float4*>(in + i);  // FAULT
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 126 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 126 * sizeof(float));
  sums<<<1, 32>>>(in, out, 126);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

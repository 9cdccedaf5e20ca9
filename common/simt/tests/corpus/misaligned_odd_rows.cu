// fault: misaligned
// note: float2 loads from rows of odd length
#include <cuda_runtime.h>

__global__ void row_starts(const float* in, float* out, int columns) {
  const float* row = in + threadIdx.x * columns;
  const float2 v = *reinterpret_cast<const float2*>(row);  // FAULT
  out[threadIdx.x] = v.x + v.y;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 32 * 8 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 32 * 8 * sizeof(float));
#ifdef FIXED
  row_starts<<<1, 32>>>(in, out, 8);
#else
  row_starts<<<1, 32>>>(in, out, 7);
#endif
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: out_of_bounds
// note: thread 0 reads the element before the first
#include <cuda_runtime.h>

__global__ void differences(const float* in, float* out) {
  const int i = threadIdx.x;
#ifdef FIXED
  out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
#else
  out[i] = in[i] - in[i - 1];  // FAULT
#endif
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  differences<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: misaligned
// note: doubles are laid behind an odd number of floats in dynamic shared memory
#include <cuda_runtime.h>

__global__ void layout(double* out, int floats) {
  extern __shared__ float memory[];
  double* d = reinterpret_cast<double*>(memory + floats);
  d[threadIdx.x] = threadIdx.x;  // FAULT
  __syncthreads();
  out[threadIdx.x] = d[31 - threadIdx.x];
}

int main() {
  double* out;
  cudaMalloc(&out, 32 * sizeof(double));
#ifdef FIXED
  layout<<<1, 32, 512>>>(out, 34);
#else
  layout<<<1, 32, 512>>>(out, 33);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}

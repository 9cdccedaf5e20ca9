// fault: race
// note: bins in shared memory are counted with a plain +=
#include <cuda_runtime.h>

__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
#ifdef FIXED
  atomicAdd(&bins[in[t] % 8], 1);
#else
  bins[in[t] % 8] += 1;  // FAULT
#endif
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 8 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  histogram<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: race
// note: a maximum by compare and store: another thread's store may come between
#include <cuda_runtime.h>

__global__ void maximum(const int* in, int* out) {
  __shared__ int most;
  const int t = threadIdx.x;
  if (t == 0) most = -1;
  __syncthreads();
#ifdef FIXED
  atomicMax(&most, in[t] + t);
#else
  if (in[t] + t > most) most = in[t] + t;  // FAULT
#endif
  __syncthreads();
  if (t == 0) *out = most;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  maximum<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

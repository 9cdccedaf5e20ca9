// fault: race
// note: thread 0 sets a shared counter to zero while others count with it already
#include <cuda_runtime.h>

__global__ void count_positive(const int* in, int* out) {
  __shared__ int counter;
  const int t = threadIdx.x;
  if (t == 0) counter = 0;  // FAULT
#ifdef FIXED
  __syncthreads();
#endif
  if (in[t] >= 0) atomicAdd(&counter, 1);
  __syncthreads();
  if (t == 0) *out = counter;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  count_positive<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

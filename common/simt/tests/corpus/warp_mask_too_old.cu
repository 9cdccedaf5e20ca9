// fault: barrier_divergence
// note: the mask was found before some of its lanes went another way
#include <cuda_runtime.h>

__global__ void sum(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, lane < n);
#ifdef FIXED
  if (lane < n) {
#else
  if (lane < n - 4) {
#endif
    out[lane] = __reduce_add_sync(mask, in[lane]);  // FAULT
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  sum<<<1, 32>>>(in, out, 24);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: barrier_divergence
// note: a ballot of all lanes in a branch that only some take
#include <cuda_runtime.h>

__global__ void count(const int* in, unsigned* out) {
  const int x = in[threadIdx.x];
#ifdef FIXED
  out[threadIdx.x] = __ballot_sync(0xffffffff, threadIdx.x < 24 && x == 0);
#else
  unsigned votes = 0;
  if (threadIdx.x < 24) votes = __ballot_sync(0xffffffff, x == 0);  // FAULT
  out[threadIdx.x] = votes;
#endif
}

int main() {
  int* in;
  unsigned* out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(unsigned));
  cudaMemset(in, 0, 32 * sizeof(int));
  count<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

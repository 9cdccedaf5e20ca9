// fault: race
// note: eight threads set bits of one byte with a plain |=
#include <cuda_runtime.h>

__global__ void mark(const int* in, unsigned* out) {
  __shared__ unsigned bits[2];
  const int t = threadIdx.x;
  if (t < 2) bits[t] = 0;
  __syncthreads();
  if (in[t] == 0) {
#ifdef FIXED
    atomicOr(&bits[t / 32], 1u << (t % 32));
#else
    reinterpret_cast<unsigned char*>(bits)[t / 8] |= 1u << (t % 8);  // FAULT
#endif
  }
  __syncthreads();
  if (t < 2) out[t] = bits[t];
}

int main() {
  int* in;
  unsigned* out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(unsigned));
  cudaMemset(in, 0, 64 * sizeof(int));
  mark<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}

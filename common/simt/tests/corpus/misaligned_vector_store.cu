// fault: misaligned
// note: an int4 store where only eight bytes are aligned
#include <cuda_runtime.h>

__global__ void clear(int* out, int skip) {
  int4* p = reinterpret_cast<int4*>(out + skip) + threadIdx.x;
  *p = make_int4(0, 0, 0, 0);  // FAULT
}

int main() {
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
#ifdef FIXED
  clear<<<1, 32>>>(out, 4);
#else
  clear<<<1, 32>>>(out, 2);
#endif
  cudaDeviceSynchronize();
  cudaFree(out);
}

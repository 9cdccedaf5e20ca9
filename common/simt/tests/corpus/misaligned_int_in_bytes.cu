// fault: misaligned
// note: an int is stored at an odd place of a byte array
#include <cuda_runtime.h>

__global__ void header(unsigned char* bytes, int at) {
  *reinterpret_cast<int*>(bytes + at) = 42;  // FAULT
}

int main() {
  unsigned char* bytes;
  cudaMalloc(&bytes, 64);
#ifdef FIXED
  header<<<1, 1>>>(bytes, 8);
#else
  header<<<1, 1>>>(bytes, 5);
#endif
  cudaDeviceSynchronize();
  cudaFree(bytes);
}

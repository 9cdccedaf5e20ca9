// fault: uninitialized_read
// note: three of four bytes are written, and the word is read
#include <cuda_runtime.h>

__global__ void pixels(unsigned char* rgba, unsigned* out) {
  unsigned char* p = rgba + 4 * threadIdx.x;
  p[0] = p[1] = p[2] = 255;
#ifdef FIXED
  p[3] = 255;
#endif
  out[threadIdx.x] = *reinterpret_cast<unsigned*>(p);  // FAULT
}

int main() {
  unsigned char* rgba;
  unsigned* out;
  cudaMalloc(&rgba, 128);
  cudaMalloc(&out, 32 * sizeof(unsigned));
  pixels<<<1, 32>>>(rgba, out);
  cudaDeviceSynchronize();
  cudaFree(rgba);
  cudaFree(out);
}

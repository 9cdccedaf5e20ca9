// fault: out_of_bounds
// note: the guard compares the row with the width and the column with the height
#include <cuda_runtime.h>

__global__ void fill(float* image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
  if (x >= width || y >= height) return;
#else
  if (x >= height || y >= width) return;
#endif
  image[y * width + x] = 1;  // FAULT
}

int main() {
  const int width = 40, height = 20;
  float* image;
  cudaMalloc(&image, width * height * sizeof(float));
  fill<<<dim3(5, 5), dim3(8, 8)>>>(image, width, height);
  cudaDeviceSynchronize();
  cudaFree(image);
}

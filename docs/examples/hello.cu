// A whole CUDA program: a kernel, and a host that launches it and prints what it left.
//
//   ./grade try docs/examples/hello.cu
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hello(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 100 * blockIdx.x + threadIdx.x;
}

int main() {
  int* out = nullptr;
  cudaMalloc(&out, 12 * sizeof(int));  // device memory for 12 numbers

  hello<<<3, 4>>>(out);  // 3 blocks of 4 threads

  int result[12];  // the copy waits for the kernel, and tells if it failed
  const cudaError_t error = cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int i = 0; i < 12; ++i) {
    std::printf("out[%2d] = %3d   written by block %d, thread %d\n", i, result[i], result[i] / 100,
                result[i] % 100);
  }
  cudaFree(out);
}

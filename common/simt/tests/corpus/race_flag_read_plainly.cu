// fault: race
// note: one block raises a flag, another looks at it in the same launch
#include <cuda_runtime.h>

__global__ void producer(int* flag) {
  *flag = 1;
}
__global__ void consumer(const int* flag, int* out) {
  *out = *flag;
}
__global__ void both(int* flag, int* out) {
  if (blockIdx.x == 0) {
    *flag = 1;
  } else {
    *out = *flag;  // FAULT
  }
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
#ifdef FIXED
  producer<<<1, 1>>>(flag);
  consumer<<<1, 1>>>(flag, out);
#else
  both<<<2, 1>>>(flag, out);
#endif
  cudaDeviceSynchronize();
}

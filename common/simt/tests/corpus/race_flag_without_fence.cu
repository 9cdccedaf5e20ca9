// fault: race
// note: data is stored, then a volatile flag; no fence between them
#include <cuda_runtime.h>

__global__ void hand_over(float* data, volatile int* flag, float* out) {
  if (blockIdx.x == 0) {
    *data = 7;
#ifdef FIXED
    __threadfence();
#endif
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
#ifdef FIXED
    __threadfence();
#endif
    *out = *data;  // FAULT
  }
}

int main() {
  float *data, *out;
  int* flag;
  cudaMalloc(&data, sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  hand_over<<<2, 1>>>(data, flag, out);
  cudaDeviceSynchronize();
}

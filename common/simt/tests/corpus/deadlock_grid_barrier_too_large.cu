// fault: deadlock
// note: a hand-made barrier of the grid waits for blocks that have no room to begin
#include <cuda_runtime.h>

__global__ void meet(int* arrived, volatile int* go) {
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(arrived, 1) == int(gridDim.x) - 1) {
    *go = 1;
  } else {
    while (*go == 0) {  // FAULT
    }
  }
}

int main() {
#ifdef FIXED
  const int blocks = 8;
#else
  const int blocks = 5000;
#endif
  int *arrived, *go;
  cudaMalloc(&arrived, sizeof(int));
  cudaMalloc(&go, sizeof(int));
  cudaMemset(arrived, 0, sizeof(int));
  cudaMemset(go, 0, sizeof(int));
  meet<<<blocks, 1024>>>(arrived, go);
  cudaDeviceSynchronize();
}

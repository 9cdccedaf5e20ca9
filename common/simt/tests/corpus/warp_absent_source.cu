// fault: uninitialized_read
// note: a shuffle reads from a lane that takes no part in it
#include <cuda_runtime.h>

__global__ void broadcast(int* out) {
  const int lane = threadIdx.x;
#ifdef FIXED
  out[lane] = __shfl_sync(0xffffffff, lane, 20);
#else
  if (lane < 16) out[lane] = __shfl_sync(0x0000ffff, lane, 20);  // FAULT
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  broadcast<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}

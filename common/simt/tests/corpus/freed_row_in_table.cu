// fault: use_after_free
// note: a table of row pointers keeps one that was freed
#include <cuda_runtime.h>

struct Rows {
  float* row[4];
};

__global__ void fill(Rows rows) {
  rows.row[threadIdx.y][threadIdx.x] = 1;  // FAULT
}

int main() {
  Rows rows;
  for (int r = 0; r < 4; ++r) cudaMalloc(&rows.row[r], 32 * sizeof(float));
#ifndef FIXED
  cudaFree(rows.row[2]);
#endif
  fill<<<1, dim3(32, 4)>>>(rows);
  cudaDeviceSynchronize();
}

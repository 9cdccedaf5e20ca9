// fault: out_of_bounds
// note: an index that is only known at run time passes the end of a local array
#include <cuda_runtime.h>

__global__ void count(const int* in, int* out, int n) {
  int bins[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    bins[in[i] & 3] += 1;
#else
    bins[in[i] & 7] += 1;  // FAULT
#endif
  }
  for (int b = 0; b < 4; ++b) out[b] = bins[b];
}

int main() {
  const int values[4] = {0, 1, 4, 2};
  int *in, *out;
  cudaMalloc(&in, sizeof(values));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  count<<<1, 1>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

// fault: race
// note: of two buffers the wrong one is filled: the one that is being read
#include <cuda_runtime.h>

__global__ void stream_tiles(const float* in, float* out) {
  __shared__ float buffer[2][64];
  const int t = threadIdx.x;
  buffer[0][t] = in[t];
  __syncthreads();
  float sum = 0;
  for (int step = 0; step < 3; ++step) {
#ifdef FIXED
    const int next = (step + 1) % 2;
#else
    const int next = step % 2;
#endif
    const float mine = buffer[step % 2][63 - t];
    sum += mine;
    buffer[next][t] = in[(step + 1) * 64 + t];  // FAULT
    if (next == step % 2) buffer[1 - next][t] = mine;
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  stream_tiles<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
}

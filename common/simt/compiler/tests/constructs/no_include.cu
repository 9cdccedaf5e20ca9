// A file that includes nothing: nvcc knows CUDA without.
__global__ void add(int* d, int n) {
  if (threadIdx.x < n) d[threadIdx.x] = max(n, 1) + static_cast<int>(blockDim.x);
}

int main() {
  int* d = nullptr;
  if (cudaMalloc(&d, 32 * sizeof(int)) != cudaSuccess) return 1;
  add<<<1, dim3(32)>>>(d, 3);
  int value = 0;
  if (cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  return value == 35 ? 0 : 1;
}

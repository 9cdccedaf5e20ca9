// How fast checked kernels run: processor time of typical kernels, with every check on. Not a test;
// the target simt_bench builds and runs it. Wants a quiet machine.
#include <cuda_runtime.h>
#include <simt/inspect.h>
#include <time.h>

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void naive_matmul(const float* A, const float* B, float* C, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}

__global__ void tiled_matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float As[16][16];
  __shared__ float Bs[16][16];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty;
  const int col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    As[ty][tx] = A[row * n + t + tx];
    Bs[ty][tx] = B[(t + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

__global__ void elementwise(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void warp_softmax(const float* x, float* y, int rows, int cols) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = -INFINITY;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[row * cols + c]);
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
  float s = 0;
  for (int c = lane; c < cols; c += 32) s += expf(x[row * cols + c] - m);
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
  for (int c = lane; c < cols; c += 32) y[row * cols + c] = expf(x[row * cols + c] - m) / s;
}

__global__ void block_reduction(const float* x, float* sums, int cols) {
  __shared__ float s[256];
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 256) sum += x[blockIdx.x * cols + c];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}

__global__ void histogram(const int* values, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[values[i]], 1);
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class Run>
void measure(const char* name, double accesses, Run run) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = processor_seconds();
    run();
    const double seconds = processor_seconds() - begin;
    if (seconds < best) best = seconds;
  }
  std::printf("%-34s %8.1f ms   %5.1f ns an access   %s\n", name, best * 1e3, best * 1e9 / accesses,
              cudaGetErrorString(cudaGetLastError()));
}

int main() {
  const int n = 256;
  const int many = 1 << 18;
  float *a, *b, *c;
  int* v;
  cudaMalloc(&a, many * sizeof(float));
  cudaMalloc(&b, many * sizeof(float));
  cudaMalloc(&c, many * sizeof(float));
  cudaMalloc(&v, many * sizeof(int));
  const std::vector<float> ones(many, 1.0f);
  cudaMemcpy(a, ones.data(), many * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), many * sizeof(float), cudaMemcpyHostToDevice);
  std::vector<int> values(many);
  for (int i = 0; i < many; ++i) values[i] = i * 7 % 64;
  cudaMemcpy(v, values.data(), many * sizeof(int), cudaMemcpyHostToDevice);
  int* counts;
  cudaMalloc(&counts, 64 * sizeof(int));
  cudaMemset(counts, 0, 64 * sizeof(int));

  const double cube = double(n) * n * n;
  measure("matmul 256^3, naive", 2 * cube, [&] { naive_matmul<<<dim3(1, n), 256>>>(a, b, c, n); });
  measure("matmul 256^3, 16x16 tiles", 2 * cube + 4 * cube / 16,
          [&] { tiled_matmul<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, n); });
  measure("elementwise add, 2^18", 3.0 * many,
          [&] { elementwise<<<many / 256, 256>>>(a, b, c, many); });
  measure("softmax, a warp a row, 2048 x 128", 4.0 * many,
          [&] { warp_softmax<<<512, 128>>>(a, c, 2048, 128); });
  measure("row sums, a block a row, 256 x 1024", 1.0 * many,
          [&] { block_reduction<<<256, 256>>>(a, c, 1024); });
  measure("histogram by atomics, 2^18", 2.0 * many,
          [&] { histogram<<<many / 256, 256>>>(v, counts, many); });
  return simt::take_diagnostics().empty() ? 0 : 1;
}

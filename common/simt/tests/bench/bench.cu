// How fast checked kernels run: processor time of typical kernels, with every check on, and beside
// it without. Not a test; the target simt_bench builds and runs both. Wants a quiet machine.
//
//   simt_bench UNCHECKED_PROGRAM     the table; UNCHECKED_PROGRAM is this file, made with simt-cc
//   --unchecked simt_bench                       the times alone, in ms, a line each
#include <cuda_runtime.h>
#include <simt/inspect.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <string>
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

__global__ void histogram(const int* values, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[values[i]], 1);
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x;
  const int ty = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(ty + j) * n + tx] = tile[threadIdx.x][threadIdx.y + j];
}

// The 4 largest of each row, a warp a row; those taken are remembered in a bit a column of the
// lane.
__global__ void top_k(const float* x, float* values, int rows, int cols) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) return;
  unsigned taken = 0;
  for (int k = 0; k < 4; ++k) {
    float best = -INFINITY;
    int column = cols;
    for (int c = lane, bit = 0; c < cols; c += 32, ++bit) {
      const float value = x[row * cols + c];
      if ((taken >> bit & 1) == 0 && value > best) {
        best = value;
        column = c;
      }
    }
    for (int d = 16; d > 0; d /= 2) {
      const float other = __shfl_xor_sync(0xffffffff, best, d);
      const int other_column = __shfl_xor_sync(0xffffffff, column, d);
      if (other > best || (other == best && other_column < column)) {
        best = other;
        column = other_column;
      }
    }
    if (column % 32 == lane) taken |= 1u << (column / 32);
    if (lane == 0) values[row * 4 + k] = best;
  }
}

double processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct Time {
  const char* name;
  double accesses;
  double milliseconds;
};
std::vector<Time> times;

template <class Run>
void measure(const char* name, double accesses, Run run) {
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double begin = processor_seconds();
    run();
    best = std::min(best, processor_seconds() - begin);
  }
  if (const cudaError_t error = cudaGetLastError())
    std::printf("%s: %s\n", name, cudaGetErrorString(error));
  times.push_back({name, accesses, best * 1e3});
}

// What the other program printed; empty when it does not run.
std::vector<double> times_of(const char* program) {
  std::vector<double> result;
  FILE* output = popen(program, "r");
  if (output == nullptr) return result;
  double each = 0;
  while (std::fscanf(output, "%lf", &each) == 1) result.push_back(each);
  pclose(output);
  return result;
}

void print_table(const std::vector<double>& unchecked) {
  std::printf("%-36s %10s %10s %6s %14s\n", "kernel", "checked", "unchecked", "ratio",
              "ns an access");
  std::vector<double> ratios;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const Time& each = times[i];
    ratios.push_back(each.milliseconds / unchecked[i]);
    std::printf("%-36s %7.1f ms %7.1f ms %6.1f %14.1f\n", each.name, each.milliseconds,
                unchecked[i], ratios[i], each.milliseconds * 1e6 / each.accesses);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("median of the ratios: %.1f\n",
              (ratios[ratios.size() / 2] + ratios[(ratios.size() - 1) / 2]) / 2);
}

int main(int argc, char** argv) {
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
  measure("softmax, a warp a row, 2048 x 128", 4.0 * many,
          [&] { warp_softmax<<<512, 128>>>(a, c, 2048, 128); });
  measure("histogram by atomics, 2^18", 2.0 * many,
          [&] { histogram<<<many / 256, 256>>>(v, counts, many); });
  measure("transpose, 512 x 512", 4.0 * many,
          [&] { transpose<<<dim3(16, 16), dim3(32, 8)>>>(a, c, 512); });
  measure("top 4 of 128, 2048 rows", 4.0 * many, [&] { top_k<<<512, 128>>>(a, c, 2048, 128); });
  if (argc < 2) {
    for (const Time& each : times) std::printf("%.4f\n", each.milliseconds);
  } else {
    const std::vector<double> unchecked = times_of(argv[1]);
    if (unchecked.size() != times.size()) {
      std::fprintf(stderr, "simt_bench: %s did not print its times\n", argv[1]);
      return 2;
    }
    print_table(unchecked);
  }
  return simt::take_diagnostics().empty() ? 0 : 1;
}

// Correct kernels, of the many shapes that a product, a bias, an elementwise function or a softmax can
// take: none may cause a report, under any schedule, and all give the right result.
#include "acceptance.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

using acceptance::Array;
namespace cg = cooperative_groups;

namespace {

std::vector<float> numbers(std::size_t n, int modulus) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = float((i * 37 + 11) % modulus) - modulus / 2;
  return values;
}

struct Matrix : Array<float> {
  std::vector<float> host;
  Matrix(int rows, int columns, const char* name, int modulus = 7)
      : Array<float>(std::size_t(rows) * columns, name), host(numbers(length, modulus)) {
    cudaMemcpy(data, host.data(), length * sizeof(float), cudaMemcpyHostToDevice);
  }
};

// C = A B, and how often a kernel's result differs from it.
int wrong_products(const Matrix& A, const Matrix& B, const std::vector<float>& C, int M, int N, int K) {
  int wrong = 0;
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A.host[m * K + k] * B.host[k * N + n];
      wrong += C[m * N + n] != sum;
    }
  }
  return wrong;
}

bool near(float a, float b) { return fabsf(a - b) <= 1e-5f * (1 + fabsf(b)); }

}  // namespace

// ---- Products ----

template <int TILE>
__global__ void tiled(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE + 1];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < K; t += TILE) {
    As[threadIdx.y][threadIdx.x] =
        row < M && t + int(threadIdx.x) < K ? A[row * K + t + threadIdx.x] : 0;
    Bs[threadIdx.y][threadIdx.x] =
        col < N && t + int(threadIdx.y) < K ? B[(t + threadIdx.y) * N + col] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

// Two buffers: one barrier a step.
__global__ void double_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float As[2][16][16];
  __shared__ float Bs[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  auto load = [&](int buffer, int t) {
    As[buffer][ty][tx] = row < M && t + tx < K ? A[row * K + t + tx] : 0.0f;
    Bs[buffer][ty][tx] = col < N && t + ty < K ? B[(t + ty) * N + col] : 0.0f;
  };
  load(0, 0);
  float sum = 0;
  int buffer = 0;
  for (int t = 0; t < K; t += 16) {
    __syncthreads();
    if (t + 16 < K) load(buffer ^ 1, t + 16);
    for (int k = 0; k < 16; ++k) sum += As[buffer][ty][k] * Bs[buffer][k][tx];
    buffer ^= 1;
  }
  if (row < M && col < N) C[row * N + col] = sum;
}

// 4 x 4 results a thread, float4 loads where the address allows.
__global__ void register_tile(const float* __restrict__ A, const float* __restrict__ B,
                              float* __restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[8][64];
  __shared__ __align__(16) float Bs[8][64];
  const int t = threadIdx.x;
  const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  const int tr = t / 16 * 4, tc = t % 16 * 4;
  float sums[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int i = t; i < 512; i += 256) {
      const int r = i / 8, k = i % 8;
      As[k][r] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
      const int kb = i / 64, c = i % 64;
      Bs[kb][c] = col0 + c < N && k0 + kb < K ? B[(k0 + kb) * N + col0 + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      const float4 a = *reinterpret_cast<const float4*>(&As[k][tr]);
      const float4 b = *reinterpret_cast<const float4*>(&Bs[k][tc]);
      const float av[4] = {a.x, a.y, a.z, a.w};
      const float bv[4] = {b.x, b.y, b.z, b.w};
      for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) sums[i][j] = fmaf(av[i], bv[j], sums[i][j]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (row0 + tr + i < M && col0 + tc + j < N) C[(row0 + tr + i) * N + col0 + tc + j] = sums[i][j];
    }
  }
}

// Parts of K in different blocks, joined by atomics.
__global__ void split_k(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  const int part = (K + gridDim.y - 1) / gridDim.y;
  float sum = 0;
  for (int k = blockIdx.y * part; k < min(K, int(blockIdx.y + 1) * part); ++k) {
    sum += A[i / N * K + k] * B[k * N + i % N];
  }
  atomicAdd(&C[i], sum);
}

// A warp a result.
__global__ void warp_dot(const float* A, const float* B, float* C, int M, int N, int K) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (i >= M * N) return;
  float sum = 0;
  for (int k = lane; k < K; k += 32) sum += A[i / N * K + k] * __ldg(&B[k * N + i % N]);
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (lane == 0) C[i] = sum;
}

void run_products() {
  for (const int3 size : {int3{33, 17, 40}, int3{16, 16, 16}, int3{1, 70, 5}, int3{65, 3, 9}}) {
    const int M = size.x, N = size.y, K = size.z;
    Matrix A(M, K, "A"), B(K, N, "B");
    Array<float> C(M * N, "C");
    const dim3 tiles((N + 15) / 16, (M + 15) / 16);
    tiled<16><<<tiles, dim3(16, 16)>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
    tiled<8><<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8)>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
    double_buffered<<<tiles, dim3(16, 16)>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
    register_tile<<<dim3((N + 63) / 64, (M + 63) / 64), 256>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
    cudaMemsetAsync(C, 0, M * N * sizeof(float));
    split_k<<<dim3((M * N + 127) / 128, 3), 128>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
    warp_dot<<<(M * N + 3) / 4, 128>>>(A, B, C, M, N, K);
    REQUIRE(wrong_products(A, B, C.values(), M, N, K) == 0);
  }
}

// ---- Biases ----

__global__ void column_sums_atomic(const float* X, float* sums, int rows, int cols) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0;
  for (int r = blockIdx.y; r < rows; r += gridDim.y) sum += X[r * cols + c];
  atomicAdd(&sums[c], sum);
}

__global__ void column_sums_shared(const float* X, float* sums, int rows, int cols) {
  __shared__ float part[8][33];
  const int c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (c < cols) {
    for (int r = threadIdx.y; r < rows; r += 8) sum += X[r * cols + c];
  }
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int half = 4; half > 0; half /= 2) {
    if (int(threadIdx.y) < half) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + half][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0 && c < cols) sums[c] += part[0][threadIdx.x];
}

// Two stages with the last block adding up.
__device__ unsigned int blocks_done;
__global__ void column_sums_two_stages(const float* X, float* partial, float* sums, int rows, int cols) {
  __shared__ bool last;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float sum = 0;
    for (int r = blockIdx.x; r < rows; r += gridDim.x) sum += X[r * cols + c];
    partial[blockIdx.x * cols + c] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float sum = 0;
    for (int b = 0; b < int(gridDim.x); ++b) sum += partial[b * cols + c];
    sums[c] += sum;
  }
  if (threadIdx.x == 0) blocks_done = 0;
}

void run_column_sums() {
  const int rows = 53, cols = 45;
  Matrix X(rows, cols, "X");
  std::vector<float> want(cols, 1.0f);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) want[c] += X.host[r * cols + c];
  }
  for (int way = 0; way < 3; ++way) {
    Array<float> sums(cols, 1.0f, "sums");
    Array<float> partial(6 * cols, "partial");
    if (way == 0) column_sums_atomic<<<dim3(2, 5), 32>>>(X, sums, rows, cols);
    if (way == 1) column_sums_shared<<<2, dim3(32, 8)>>>(X, sums, rows, cols);
    if (way == 2) column_sums_two_stages<<<6, 64>>>(X, partial, sums, rows, cols);
    REQUIRE(sums.values() == want);
  }
}

// ---- Elementwise ----

__global__ void grid_stride(const float* a, const float* b, float* out, int n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < unsigned(n); i += gridDim.x * blockDim.x) {
    out[i] = a[i] * b[i];
  }
}

__global__ void vectorised(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto address = reinterpret_cast<size_t>(a) | reinterpret_cast<size_t>(b) | reinterpret_cast<size_t>(out);
  if (address % 16 == 0) {
    if (4 * i + 3 < n) {
      const float4 x = reinterpret_cast<const float4*>(a)[i];
      const float4 y = __ldg(reinterpret_cast<const float4*>(b) + i);
      reinterpret_cast<float4*>(out)[i] = make_float4(x.x * y.x, x.y * y.y, x.z * y.z, x.w * y.w);
    } else {
      for (int j = 4 * i; j < n; ++j) out[j] = a[j] * b[j];
    }
  } else {
    for (int j = 4 * i; j < min(4 * i + 4, n); ++j) out[j] = a[j] * b[j];
  }
}

void run_elementwise() {
  for (int n : {1, 31, 128, 1001}) {
    for (int shift : {0, 1}) {
      Matrix a(n + shift, 1, "a"), b(n + shift, 1, "b");
      Array<float> out(n + shift, "out");
      for (int way = 0; way < 2; ++way) {
        if (way == 0) grid_stride<<<3, 64>>>(a + shift, b + shift, out + shift, n);
        if (way == 1) vectorised<<<(n + 255) / 256, 64>>>(a + shift, b + shift, out + shift, n);
        const std::vector<float> got = out.values();
        int wrong = 0;
        for (int i = 0; i < n; ++i) wrong += got[shift + i] != a.host[shift + i] * b.host[shift + i];
        REQUIRE(wrong == 0);
      }
      // In place.
      grid_stride<<<2, 64>>>(a, a, a, n);
      REQUIRE(a.values()[n - 1] == a.host[n - 1] * a.host[n - 1]);
    }
  }
}

// ---- Softmax ----

__device__ float warp_max(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, d));
  return x;
}
__device__ float warp_sum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
  return x;
}

__global__ void softmax_thread(const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, s = 0;
  for (int c = 0; c < cols; ++c) {  // online
    const float v = x[r * cols + c];
    const float larger = fmaxf(m, v);
    s = s * expf(m - larger) + expf(v - larger);
    m = larger;
  }
  for (int c = 0; c < cols; ++c) y[r * cols + c] = expf(x[r * cols + c] - m) / s;
}

__global__ void softmax_warp(const float* x, float* y, int rows, int cols) {
  const int r = blockIdx.x * blockDim.y + threadIdx.y;
  if (r >= rows) return;
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < cols; c += 32) m = fmaxf(m, x[r * cols + c]);
  m = warp_max(m);
  for (int c = threadIdx.x; c < cols; c += 32) s += expf(x[r * cols + c] - m);
  s = warp_sum(s);
  for (int c = threadIdx.x; c < cols; c += 32) y[r * cols + c] = __expf(x[r * cols + c] - m) / s;
}

__device__ float block_reduce(float x, bool largest, float* scratch) {
  x = largest ? warp_max(x) : warp_sum(x);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) scratch[warp] = x;
  __syncthreads();
  if (warp == 0) {
    x = lane < int(blockDim.x) / 32 ? scratch[lane] : (largest ? -INFINITY : 0.0f);
    x = largest ? warp_max(x) : warp_sum(x);
    if (lane == 0) scratch[0] = x;
  }
  __syncthreads();
  x = scratch[0];
  __syncthreads();
  return x;
}
__global__ void softmax_block(const float* x, float* y, int cols) {
  __shared__ float scratch[32];
  const float* row = x + size_t(blockIdx.x) * cols;
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, row[c]);
  m = block_reduce(m, true, scratch);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) s += expf(row[c] - m);
  s = block_reduce(s, false, scratch);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[size_t(blockIdx.x) * cols + c] = expf(row[c] - m) / s;
}

__global__ void softmax_dynamic(const float* x, float* y, int cols) {
  extern __shared__ float row[];
  float* total = row + cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] = x[blockIdx.x * cols + c];
  __syncthreads();
  if (threadIdx.x == 0) {
    float m = row[0];
    for (int c = 1; c < cols; ++c) m = fmaxf(m, row[c]);
    float s = 0;
    for (int c = 0; c < cols; ++c) s += row[c] = expf(row[c] - m);
    *total = s;
  }
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = row[c] / *total;
}

__global__ void softmax_groups(const float* x, float* y, int rows, int cols) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int r = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (r >= rows) return;
  float m = -INFINITY, s = 0;
  for (int c = tile.thread_rank(); c < cols; c += tile.size()) m = fmaxf(m, x[r * cols + c]);
  m = cg::reduce(tile, m, cg::greater<float>());
  for (int c = tile.thread_rank(); c < cols; c += tile.size()) s += expf(x[r * cols + c] - m);
  s = cg::reduce(tile, s, cg::plus<float>());
  for (int c = tile.thread_rank(); c < cols; c += tile.size()) y[r * cols + c] = expf(x[r * cols + c] - m) / s;
}

void run_softmax() {
  for (const int2 size : {int2{5, 7}, int2{9, 32}, int2{3, 100}, int2{1, 1}}) {
    const int rows = size.x, cols = size.y;
    Matrix x(rows, cols, "x", 11);
    std::vector<float> want(rows * cols);
    for (int r = 0; r < rows; ++r) {
      float m = -INFINITY, s = 0;
      for (int c = 0; c < cols; ++c) m = fmaxf(m, x.host[r * cols + c]);
      for (int c = 0; c < cols; ++c) s += expf(x.host[r * cols + c] - m);
      for (int c = 0; c < cols; ++c) want[r * cols + c] = expf(x.host[r * cols + c] - m) / s;
    }
    for (int way = 0; way < 5; ++way) {
      Array<float> y(rows * cols, "y");
      if (way == 0) softmax_thread<<<(rows + 31) / 32, 32>>>(x, y, rows, cols);
      if (way == 1) softmax_warp<<<(rows + 3) / 4, dim3(32, 4)>>>(x, y, rows, cols);
      if (way == 2) softmax_block<<<rows, 128>>>(x, y, cols);
      if (way == 3) softmax_dynamic<<<rows, 64, (cols + 1) * sizeof(float)>>>(x, y, cols);
      if (way == 4) softmax_groups<<<(rows + 3) / 4, 64>>>(x, y, rows, cols);
      const std::vector<float> got = y.values();
      int wrong = 0;
      for (int i = 0; i < rows * cols; ++i) wrong += !near(got[i], want[i]);
      REQUIRE(wrong == 0);
    }
  }
}

// ---- Others ----

__global__ void transpose(const float* x, float* y, int rows, int cols) {
  __shared__ float tile[32][33];
  int c = blockIdx.x * 32 + threadIdx.x;
  int r = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (c < cols && r + j < rows) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * cols + c];
  }
  __syncthreads();
  c = blockIdx.y * 32 + threadIdx.x;
  r = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (c < rows && r + j < cols) y[(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
  }
}
void run_transpose() {
  const int rows = 50, cols = 70;
  Matrix x(rows, cols, "x", 100);
  Array<float> y(rows * cols, "y");
  transpose<<<dim3(3, 2), dim3(32, 8)>>>(x, y, rows, cols);
  const std::vector<float> got = y.values();
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c) wrong += got[c * rows + r] != x.host[r * cols + c];
  }
  REQUIRE(wrong == 0);
}

__global__ void block_scan(const int* in, int* out) {
  __shared__ int s[2][256];
  const int t = threadIdx.x;
  int from = 0;
  s[0][t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    s[from ^ 1][t] = s[from][t] + (t >= d ? s[from][t - d] : 0);
    from ^= 1;
    __syncthreads();
  }
  out[t] = s[from][t];
}
void run_scan() {
  Array<int> in(256, 1, "in");
  Array<int> out(256, "out");
  block_scan<<<1, 256>>>(in, out);
  REQUIRE(out.values()[255] == 256);
}

struct Pair {
  float value;
  int index;
};
__global__ void arg_max(const float* x, Pair* best, int n) {
  __shared__ Pair pairs[128];
  Pair mine{-INFINITY, n};
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (x[i] > mine.value) mine = {x[i], i};
  }
  pairs[threadIdx.x] = mine;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (int(threadIdx.x) < d) {
      const Pair other = pairs[threadIdx.x + d];
      if (other.value > mine.value || (other.value == mine.value && other.index < mine.index)) {
        pairs[threadIdx.x] = mine = other;
      }
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *best = pairs[0];
}
void run_arg_max() {
  Matrix x(1, 300, "x", 300);
  Array<Pair> best(1, "best");
  arg_max<<<1, 128>>>(x, best, 300);
  const Pair got = best.values()[0];
  REQUIRE(got.value == x.host[got.index]);
  for (float v : x.host) REQUIRE(v <= got.value);
}

__device__ int parts_of(const char* text) {
  int sum = 0;
  for (int i = 0; text[i] != 0; ++i) sum += text[i];
  return sum;
}
struct Parameters {
  const float* x;
  float* y;
  int n;
  float factors[8];
};
__global__ void by_value(Parameters p) {
  const int i = threadIdx.x;
  const int picked = parts_of(i % 2 == 0 ? "abc" : "d");
  if (i < p.n) p.y[i] = p.x[i] * p.factors[i % 8] + picked;
}
void run_by_value() {
  Matrix x(1, 32, "x");
  Array<float> y(32, "y");
  by_value<<<1, 32>>>({x, y, 32, {1, 2, 3, 4, 5, 6, 7, 8}});
  REQUIRE(y.values()[9] == x.host[9] * 2 + 'd');
}

// Producer and consumer warps meet at barriers only.
__global__ void producer_consumer(const float* in, float* out, int steps) {
  __shared__ float stage[2][32];
  const int lane = threadIdx.x % 32;
  float sum = 0;
  for (int i = 0; i <= steps; ++i) {
    if (threadIdx.x < 32) {
      if (i < steps) stage[i % 2][lane] = in[i * 32 + lane];
    } else if (i > 0) {
      sum += stage[(i - 1) % 2][31 - lane];
    }
    __syncthreads();
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}
void run_producer_consumer() {
  Array<float> in(160, 2.0f, "in");
  Array<float> out(32, "out");
  producer_consumer<<<1, 64>>>(in, out, 5);
  REQUIRE(out.values()[4] == 10);
}

// Arrays of structs, with padding after them: launched by value, as multi-tensor updates are.
struct Segment {
  unsigned long weights, gradients;
  long count;
};
struct Segments {
  Segment s[5];
};
struct CountedSegments {
  Segment s[5];
  int count;
};
__global__ void weights_of(Segments list, float rate, unsigned long* out) {
  out[threadIdx.x] = list.s[threadIdx.x].weights + (rate == 0.5f);
}
__global__ void counted_weights_of(CountedSegments list, unsigned long* out) {
  out[threadIdx.x] = list.s[threadIdx.x].weights + list.count;
}
void run_lists_by_value() {
  Segments list{};
  CountedSegments counted{};
  for (int i = 0; i < 5; ++i) list.s[i] = counted.s[i] = {0x1122334455667700ul + i, 1, 2};
  counted.count = 1;
  Array<unsigned long> out(5, 0, "out");
  const auto check = [&] {
    for (int i = 0; i < 5; ++i) REQUIRE(out.values()[i] == 0x1122334455667701ul + i);
  };
  weights_of<<<1, 5>>>(list, 0.5f, out);
  check();
  cudaMemset(out, 0, 5 * sizeof(unsigned long));
  counted_weights_of<<<1, 5>>>(counted, out);
  check();
}

// A lock per warp, taken by its first lane.
__global__ void locked_list(int* lock, int* length, int* list) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
    __threadfence();
    list[*length] = blockIdx.x * blockDim.x + threadIdx.x;
    *length += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
void run_locked_list() {
  Array<int> lock(1, 0, "lock");
  Array<int> length(1, 0, "length");
  Array<int> list(16, "list");
  locked_list<<<4, 128>>>(lock, length, list);
  REQUIRE(length.values()[0] == 16);
}

int main(int argc, char** argv) {
  return acceptance::main(__FILE__, argc, argv,
                          {
                              {"products", run_products, {}},
                              {"column sums", run_column_sums, {}},
                              {"elementwise", run_elementwise, {}},
                              {"softmax", run_softmax, {}},
                              {"transpose", run_transpose, {}},
                              {"scan", run_scan, {}},
                              {"arg max", run_arg_max, {}},
                              {"parameters by value", run_by_value, {}},
                              {"lists by value", run_lists_by_value, {}},
                              {"producer and consumer", run_producer_consumer, {}},
                              {"locked list", run_locked_list, {}},
                          });
}

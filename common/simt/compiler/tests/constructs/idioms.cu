// Ways of writing that real CUDA code has.
#include "construct.h"

#include <concepts>
#include <tuple>

// Dynamic shared memory of a type that depends on a template parameter.
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int smem_bytes[];
    return reinterpret_cast<T*>(smem_bytes);
  }
};

template <>
struct SharedMemory<double> {
  __device__ inline operator double*() {
    extern __shared__ double smem_doubles[];
    return smem_doubles;
  }
};

template <class T, unsigned int Block>
__global__ void reduce(const T* in, T* out, unsigned int n) {
  T* s = SharedMemory<T>();
  const unsigned int t = threadIdx.x;
  s[t] = t < n ? in[t] : T(0);
  __syncthreads();
#pragma unroll
  for (unsigned int step = Block / 2; step > 0; step >>= 1) {
    if (t < step) s[t] = s[t] + s[t + step];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
template <class Op>
__device__ float fold(const float* x, int n, Op op) {
  float result = x[0];
  for (int i = 1; i < n; ++i) result = op(result, x[i]);
  return result;
}

template <template <class> class Box, class T>
__global__ void boxed(Box<T> box, T* d) {
  d[0] = box.value;
}
template <class T>
struct Holder {
  T value;
};

__device__ int twice(int x) { return 2 * x; }
template <int (*F)(int)>
__global__ void apply(int* d) {
  d[0] = F(4);
}

template <std::integral T>
  requires(sizeof(T) == 4)
__global__ void constrained(T* d) {
  d[0] = 9;
}

static __constant__ float taps[3] = {1.0f, 2.0f, 3.0f};
__constant__ __device__ int both = 6;

[[nodiscard]] __device__ inline float attributed([[maybe_unused]] float x) { return 1.0f; }

__global__ void arrays(const float (*rows)[4], float* d) {
  constexpr int N = 4;
  __shared__ float tile[N][N + 1];
  __shared__ union {
    float f[4];
    int i[4];
  } u;
  __shared__ typename std::tuple_element<0, std::tuple<int, float>>::type typed;
  const unsigned int t = threadIdx.x;
  tile[t / N][t % N] = rows[t / N][t % N];
  if (t < 4) u.f[t] = static_cast<float>(t);
  if (t == 0) typed = 3;
  __syncthreads();
  if constexpr (N == 4) {
    __shared__ float inner[16];
    inner[t] = tile[t % N][t / N];
    __syncthreads();
    d[t] = inner[t] + u.f[t % 4] + attributed(0) + static_cast<float>(typed);
  }
  if (t == 0) {
    const auto [first, second] = std::tuple<int, float>{1, 2.0f};
    float local[3] = {taps[0], taps[1], taps[2]};
    d[0] += static_cast<float>(first) + second + fold(local, 3, Add{}) + static_cast<float>(both);
  }
}

template <int Block>
__global__ void sized(int* d) {
  d[0] = Block + static_cast<int>(blockDim.x);
}

int main() {
  int* d = device_ints(16);
  float* f = nullptr;
  CHECK(cudaMalloc(&f, 64 * sizeof(float)) == cudaSuccess);
  float host[16];
  for (int i = 0; i < 16; ++i) host[i] = static_cast<float>(i);
  CHECK(cudaMemcpy(f, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);

  unsigned int n = 16;
  reduce<float, 32><<<1, 32, 32 * sizeof(float)>>>(f, f + 32, n);
  CHECK(float_at(f, 32) == 120.0f);
  double* g = nullptr;
  CHECK(cudaMalloc(&g, 9 * sizeof(double)) == cudaSuccess);
  CHECK(cudaMemset(g, 0, 9 * sizeof(double)) == cudaSuccess);
  reduce<double, 8><<<1, 8, 8 * sizeof(double)>>>(g, g + 8, 8u);
  CHECK(cudaGetLastError() == cudaSuccess);

  boxed<<<1, 1>>>(Holder<int>{5}, d);
  CHECK(value_at(d, 0) == 5);
  apply<twice><<<1, 1>>>(d);
  CHECK(value_at(d, 0) == 8);
  constrained<<<1, 1>>>(d);
  CHECK(value_at(d, 0) == 9);
  arrays<<<1, 16>>>(reinterpret_cast<const float(*)[4]>(f), f + 40);
  CHECK(float_at(f, 41) == 4.0f + 1.0f + 1.0f + 3.0f);
  CHECK(float_at(f, 40) == 0.0f + 0.0f + 1.0f + 3.0f + 1.0f + 2.0f + 6.0f + 6.0f);

  // A kernel chosen at run time.
  void (*chosen)(int*) = nullptr;
  int threads = 64;
  switch (threads) {
    case 32: chosen = sized<32>; break;
    case 64: chosen = &sized<64>; break;
  }
  dim3 grid{static_cast<unsigned int>((threads + 63) / 64)}, block = {64, 1, 1};
  chosen<<<grid, block>>>(d);
  CHECK(value_at(d, 0) == 128);
  auto automatic = sized<7>;
  automatic<<<1, 3>>>(d);
  CHECK(value_at(d, 0) == 10);
  constexpr auto fixed = &sized<8>;
  fixed<<<1, 3>>>(d);
  CHECK(value_at(d, 0) == 11);
  int i = 15;
  dim3 narrowed{(i + 15) / 16, 1};
  sized<1><<<narrowed, 1, 0, cudaStreamPerThread>>>(d);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(value_at(d, 0) == 2);
}

// Static shared memory in every shape of declaration.
#include "construct.h"

struct Pair {
  int first;
  float second;
};

template <int N, class T>
__device__ T reverse_sum(T x) {
  __shared__ T tile[N];
  tile[threadIdx.x] = x;
  __syncthreads();
  T value = tile[N - 1 - threadIdx.x];
  __syncthreads();
  return value;
}

__global__ void k(int* d) {
  const int t = static_cast<int>(threadIdx.x);
  __shared__ int a[32], b, c[4][8];
  static __shared__ float f[32];
  __shared__ volatile int v[32];
  volatile __shared__ int w[32];
  int __shared__ x[32];
  __shared__ __align__(16) unsigned char bytes[64];
  __shared__ alignas(16) int aligned[32];
  __shared__ Pair pairs[32];
  __shared__ struct { int one; int two[2]; } s;
  __shared__ unsigned long long big;
  __shared__ float4 vector;
  __shared__ int *pointers[2];
  a[t] = t;
  c[t / 8][t % 8] = t;
  f[t] = static_cast<float>(t);
  v[t] = t;
  w[t] = t;
  x[t] = t;
  bytes[t] = static_cast<unsigned char>(t);
  aligned[t] = t;
  pairs[t] = {t, static_cast<float>(t)};
  if (t == 0) {
    b = 5;
    s.one = 6;
    s.two[1] = 7;
    big = 8;
    vector = make_float4(1, 2, 3, 4);
    pointers[1] = a;
  }
  __syncthreads();
  const int u = 31 - t;
  const int sum = a[u] + c[u / 8][u % 8] + static_cast<int>(f[u]) + v[u] + w[u] + x[u] + bytes[u] +
                  aligned[u] + pairs[u].first + pointers[1][u];
  d[t] = sum + b + s.one + s.two[1] + static_cast<int>(big) + static_cast<int>(vector.w);
  for (int i = 0; i < 2; ++i) {
    __shared__ int inner[32];
    inner[t] = i;
    __syncthreads();
    d[t] += inner[u];
    __syncthreads();
  }
  d[t] += reverse_sum<32>(t) + static_cast<int>(reverse_sum<32>(static_cast<float>(t)));
  auto mine = [=] { return a[u] + static_cast<int>(sizeof a / sizeof a[0]); };
  auto plain = [](int i) { return i; };
  d[t] += mine() + plain(0);
}

int main() {
  int* d = device_ints(32);
  k<<<1, 32>>>(d);
  CHECK(cudaGetLastError() == cudaSuccess);
  for (int t = 0; t < 32; ++t) {
    CHECK(value_at(d, t) == 10 * (31 - t) + 5 + 6 + 7 + 8 + 4 + 1 + 3 * (31 - t) + 32);
  }
}

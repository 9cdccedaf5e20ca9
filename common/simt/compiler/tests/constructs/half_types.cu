// __half and __nv_bfloat16: conversions, operators, intrinsics, pairs, shuffles, atomics.
#include "construct.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <class T>
__global__ void saxpy(const T* x, T* y, T a, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void half_dot(const half* a, const half* b, float* out, int n) {
  __shared__ half2 tile[32];
  __shared__ __half last;
  const int t = static_cast<int>(threadIdx.x);
  const half2* pairs = reinterpret_cast<const half2*>(a);
  tile[t] = t < n / 2 ? pairs[t] : __float2half2_rn(0.0f);
  if (t == 0) last = __ushort_as_half(0x3c00);
  __syncthreads();
  half2 sum = __hmul2(tile[t], __ldg(reinterpret_cast<const half2*>(b) + t));
  for (int offset = 16; offset > 0; offset /= 2) sum = __hadd2(sum, __shfl_down_sync(0xffffffff, sum, offset));
  if (t == 0) *out = __low2float(sum) + __high2float(sum) + __half2float(last);
}

__global__ void operators(half* d, float* f) {
  half x = 1.5f, y = __float2half(0.25f);
  half z;
  z = 3;
  x += y;
  x -= half(0.5f);
  x *= 2.0f;
  x /= __int2half_rn(2);
  d[0] = x;                      // 1.25
  d[1] = -y + z;                 // 2.75
  d[2] = __hfma(x, y, z);        // 3.3125
  d[3] = x > y && x != z && __hlt(y, z) && !__hisnan(x) ? x++ : y;
  d[4] = x;                      // 2.25
  d[5] = __hmax(__hmin(x, y), __habs(__hneg(z)));
  d[6] = hsqrt(half(4.0f));
  d[7] = hexp(half(0.0f));
  f[0] = static_cast<float>(x) + 1.0f;
  f[1] = static_cast<float>(static_cast<int>(half(-2.75f)));
  f[2] = static_cast<float>(__half2int_rn(half(2.5f))) + static_cast<float>(__half2uint_ru(half(0.25f)));
  const float2 both = __half22float2(__halves2half2(y, z));
  f[3] = both.x + both.y;
  f[4] = __high2float(make_half2(x, y) + __half2(z, z)) + static_cast<float>(__hbge2(__half2(z, z), __half2(y, y)));
  f[5] = static_cast<float>(__hfma2(__half2(x, y), __half2(z, z), __half2(y, y)).x);
  half2 pair = __floats2half2_rn(1.0f, 2.0f);
  pair += pair;
  pair.x = x;
  f[6] = __low2float(pair) * static_cast<float>(pair.y);
  f[7] = x ? 1.0f : 0.0f;
}

__global__ void sums(half* h, __nv_bfloat16* b, half2* pair) {
  atomicAdd(h, __float2half(1.0f));
  atomicAdd(b, __float2bfloat16(1.0f));
  atomicAdd(pair, __floats2half2_rn(1.0f, 0.5f));
}

__global__ void bfloats(__nv_bfloat16* d, float* f) {
  nv_bfloat16 x = 1.5f, y = __float2bfloat16(0.25f);
  x += y;
  const nv_bfloat16 other = __shfl_xor_sync(0xffffffff, x, 1);
  if (threadIdx.x != 0) return;
  d[0] = x;
  d[1] = __hfma(x, y, x) * y;
  d[2] = x < y ? x : __hmul(x, x);
  __nv_bfloat162 pair = __floats2bfloat162_rn(3.0f, 4.0f);
  pair = __hadd2(pair, __bfloat162bfloat162(y));
  f[0] = __bfloat162float(pair.x) + __high2float(pair);
  f[1] = __bfloat162float(other);
  f[2] = __bfloat1622float2(pair).y + static_cast<float>(__bfloat162int_rz(x)) + static_cast<float>(hrsqrt(nv_bfloat16(4.0f)));
}

template <class T>
T* device(int n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, sizeof(T) * static_cast<size_t>(n)) == cudaSuccess);
  CHECK(cudaMemset(p, 0, sizeof(T) * static_cast<size_t>(n)) == cudaSuccess);
  return p;
}
template <class T>
float at(const T* device, int i) {
  T value;
  CHECK(cudaMemcpy(&value, device + i, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess);
  return static_cast<float>(value);
}

template <class T>
void check_saxpy() {
  T host[64];
  for (int i = 0; i < 64; ++i) host[i] = static_cast<float>(i);
  T* x = device<T>(64);
  T* y = device<T>(64);
  CHECK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  saxpy<T><<<2, 32>>>(x, y, T(0.5f), 60);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(at(y, 10) == 15.0f);
  CHECK(at(y, 60) == 60.0f);
}

int main() {
  check_saxpy<__half>();
  check_saxpy<__nv_bfloat16>();

  half* h = device<half>(64);
  half* g = device<half>(64);
  float* f = device<float>(8);
  half host[64];
  for (int i = 0; i < 64; ++i) host[i] = __float2half(1.0f);
  CHECK(cudaMemcpy(h, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(g, host, sizeof host, cudaMemcpyHostToDevice) == cudaSuccess);
  half_dot<<<1, 32>>>(h, g, f, 64);
  CHECK(at(f, 0) == 65.0f);

  operators<<<1, 1>>>(h, f);
  const float expected[] = {1.25f, 2.75f, 3.3125f, 1.25f, 2.25f, 3.0f, 2.0f, 1.0f};
  for (int i = 0; i < 8; ++i) CHECK(at(h, i) == expected[i]);
  const float floats[] = {3.25f, -2.0f, 3.0f, 3.25f, 4.25f, 7.0f, 9.0f, 1.0f};
  for (int i = 0; i < 8; ++i) CHECK(at(f, i) == floats[i]);

  __nv_bfloat16* b = device<__nv_bfloat16>(4);
  half2* pair = device<half2>(1);
  CHECK(cudaMemset(h, 0, sizeof host) == cudaSuccess);
  sums<<<2, 64>>>(h, b, pair);
  CHECK(at(h, 0) == 128.0f);
  CHECK(at(b, 0) == 128.0f);
  half2 both;
  CHECK(cudaMemcpy(&both, pair, sizeof both, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(__low2float(both) == 128.0f && __high2float(both) == 64.0f);

  bfloats<<<1, 32>>>(b, f);
  CHECK(at(b, 0) == 1.75f);
  CHECK(at(f, 0) == 7.5f);
  CHECK(at(f, 1) == 1.75f);
  CHECK(at(f, 2) == 5.75f);
}

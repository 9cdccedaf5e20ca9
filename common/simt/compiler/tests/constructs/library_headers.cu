// C++'s own headers beside kernels; device code that uses what CUDA allows of them.
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "construct.h"

__global__ void k(float* d, int n) {
  float x = d[0];
  assert(n > 0);
  if (n < 0) printf("never %d %f\n", n, static_cast<double>(x));
  d[0] = std::sqrt(x) + sqrtf(x) + std::fabs(-1.0f) + fabsf(x) + expf(0.0f) + std::exp(0.0f) +
         std::max(1.0f, 2.0f) + fmaxf(1.0f, 2.0f) + max(1, 2) + min(1.0f, 2.0f) + abs(-3) +
         powf(2.0f, 3.0f) + std::pow(2.0f, 2.0f) + tanhf(0.0f) + std::isnan(x) + isinf(x) +
         floorf(1.5f) + __expf(0.0f) + rsqrtf(4.0f) + fmaf(1.0f, 2.0f, 3.0f) + __fdividef(4.0f, 2.0f);
  d[1] = std::numeric_limits<float>::infinity();
  d[2] = -INFINITY;
  d[3] = FLT_MAX;
  d[4] = static_cast<float>(sqrt(4.0) + pow(2.0, 2.0) + exp(0.0));
  float2 pair = make_float2(1.0f, 2.0f);
  float4 four = *reinterpret_cast<float4*>(d + 8);
  pair.x += four.w;
  d[5] = pair.x + static_cast<float>(INT_MAX > 0);
  d[6] = __int_as_float(0x3f800000) + static_cast<float>(__popc(7) + __clz(1));
  static_assert(std::is_same_v<decltype(four.x), float>);
}

int main() {
  std::vector<float> host(16, 4.0f);
  float* d = nullptr;
  CHECK(cudaMalloc(&d, 16 * sizeof(float)) == cudaSuccess);
  CHECK(cudaMemcpy(d, host.data(), 16 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  k<<<1, 1>>>(d, 1);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMemcpy(host.data(), d, 16 * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::fabs(host[0] - 42.5f) < 1e-5f);
  CHECK(std::isinf(host[1]) && std::isinf(host[2]) && host[3] == FLT_MAX);
  CHECK(host[4] == 7.0f && host[5] == 6.0f && host[6] == 35.0f);
}

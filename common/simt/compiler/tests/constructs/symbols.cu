// Variables of device memory and constant memory at file scope.
#include "construct.h"

__device__ int table[4];
__device__ int started = 5, other;
static __device__ float scale = 1.5f;
__constant__ float weights[3];
__constant__ int primes[] = {2, 3, 5, 7};
__constant__ int answer = 42;
__device__ const int limits[2] = {10, 20};
const __device__ int one = 1;
__device__ constexpr int two = 2;
__managed__ int shared_with_host = 3;
namespace deep {
__device__ unsigned int hits;
}
namespace {
__device__ int hidden[2] = {7, 8};
}
typedef float (*Unary)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ Unary chosen = twice;

__global__ void k(int* d) {
  const int t = static_cast<int>(threadIdx.x);
  d[t] = table[t] + primes[t] + static_cast<int>(weights[t % 3]);
  if (t == 0) {
    atomicAdd(&deep::hits, 1u);
    other = started + answer + limits[1] + one + two + hidden[1] + static_cast<int>(scale * 2) +
            static_cast<int>(chosen(4.0f)) + shared_with_host;
  }
}

int main() {
  int* d = device_ints(4);
  const int host[4] = {100, 200, 300, 400};
  const float w[3] = {1000, 2000, 3000};
  CHECK(cudaMemcpyToSymbol(table, host, sizeof host) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w) == cudaSuccess);
  k<<<1, 4>>>(d);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(value_at(d, 0) == 1102);
  CHECK(value_at(d, 3) == 1407);
  int result = 0;
  CHECK(cudaMemcpyFromSymbol(&result, other, sizeof result) == cudaSuccess);
  CHECK(result == 5 + 42 + 20 + 1 + 2 + 8 + 3 + 8 + 3);
  unsigned int hits = 0;
  CHECK(cudaMemcpyFromSymbol(&hits, deep::hits, sizeof hits) == cudaSuccess);
  CHECK(hits == 1);
}

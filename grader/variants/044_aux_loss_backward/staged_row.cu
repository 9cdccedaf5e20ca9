// right: the row is staged in shared memory; a grid-stride loop, 16 bytes at a time where it may.
#include <cstdint>

#include "moe/kernels.h"

namespace {

__global__ void fill(const float* fractions, float* dprobs, long long n, int E, float scale) {
  __shared__ float row[1024];
  for (int e = threadIdx.x; e < E; e += blockDim.x) row[e] = scale * fractions[e];
  __syncthreads();
  const long long thread = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long threads = static_cast<long long>(gridDim.x) * blockDim.x;
  long long done = 0;
  if (reinterpret_cast<std::uintptr_t>(dprobs) % 16 == 0) {
    done = n / 4 * 4;
    for (long long i = 4 * thread; i < done; i += 4 * threads) {
      const float4 four = {row[i % E], row[(i + 1) % E], row[(i + 2) % E], row[(i + 3) % E]};
      *reinterpret_cast<float4*>(&dprobs[i]) = four;
    }
  }
  for (long long i = done + thread; i < n; i += threads) dprobs[i] = row[i % E];
}

}  // namespace

void aux_loss_backward(const float* fractions, float* dprobs, int T, int E, float alpha,
                       cudaStream_t stream) {
  if (T == 0) return;
  const long long n = static_cast<long long>(T) * E;
  const int blocks = n < 100 * 1024 ? static_cast<int>((n + 1023) / 1024) : 100;
  fill<<<blocks, 256, 0, stream>>>(fractions, dprobs, n, E, alpha * (static_cast<float>(E) / T));
}

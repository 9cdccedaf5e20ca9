// Kernels that reach what the machine can do, and nothing else: the roofline's ceilings.
#include <cuda_runtime.h>

// what 0: to[i] = from[i], 16 bytes a thread; count is a multiple of 4.
// what 1: `count` threads, each kFmaSteps times 8 independent chains of fused multiply-adds.
void bench_ceiling(int what, const float* from, float* to, int count, cudaStream_t stream);

namespace {

constexpr int kThreads = 256;
constexpr int kFmaSteps = 4096;  // session.cpp counts with it

__global__ void copy(const float4* from, float4* to, int count) {
  const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (i < count) to[i] = from[i];
}

__global__ void multiply_add(const float* from, float* to) {
  const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  const float a = from[0];
  const float b = from[1];
  float c[8];
#pragma unroll
  for (int j = 0; j < 8; ++j) c[j] = static_cast<float>(i + j);
  for (int step = 0; step < kFmaSteps; ++step) {
#pragma unroll
    for (int j = 0; j < 8; ++j) c[j] = fmaf(a, c[j], b);
  }
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 8; ++j) sum += c[j];
  to[i] = sum;
}

}  // namespace

void bench_ceiling(int what, const float* from, float* to, int count, cudaStream_t stream) {
  if (what == 0) {
    const int vectors = count / 4;
    const unsigned blocks = static_cast<unsigned>((vectors + kThreads - 1) / kThreads);
    copy<<<blocks, kThreads, 0, stream>>>(reinterpret_cast<const float4*>(from),
                                          reinterpret_cast<float4*>(to), vectors);
  } else {
    multiply_add<<<static_cast<unsigned>(count / kThreads), kThreads, 0, stream>>>(from, to);
  }
}

// Kernels that reach what the machine can do, and nothing else: the roofline's ceilings.
#include <cuda_runtime.h>

// what 0: to[i] = from[i], 16 bytes a thread.
// what 1: `count` threads, each kFmaSteps times 8 independent chains of fused multiply-adds.
// what 2: to[i] = 1, 16 bytes a thread.
// what 3: reads from[i], 64 bytes a thread, and writes nothing.
// For 0, 2 and 3 `count` is a multiple of 4,096.
void bench_ceiling(int what, const float* from, float* to, int count, cudaStream_t stream);

namespace {

constexpr int kThreads = 256;
constexpr int kFmaSteps = 4096;  // session.cpp counts with it
constexpr int kReads = 4;        // on their way at the same time

__global__ void copy(const float4* from, float4* to) {
  const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  to[i] = from[i];
}

__global__ void fill(float4* to) {
  const int i = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  to[i] = make_float4(1, 1, 1, 1);
}

__global__ void read_all(const float4* from, float* to) {
  const int first = static_cast<int>(blockIdx.x) * kReads * kThreads;
  float4 got[kReads];
#pragma unroll
  for (int j = 0; j < kReads; ++j) {
    got[j] = from[first + j * kThreads + static_cast<int>(threadIdx.x)];
  }
  float sum = 0;
#pragma unroll
  for (int j = 0; j < kReads; ++j) sum += got[j].x + got[j].y + got[j].z + got[j].w;
  if (sum < 0) to[0] = sum;  // never: `from` holds nothing negative; but the compiler must read it
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
  const auto* const from4 = reinterpret_cast<const float4*>(from);
  auto* const to4 = reinterpret_cast<float4*>(to);
  const auto blocks = [&](int floats_a_thread) {
    return static_cast<unsigned>(count / (floats_a_thread * kThreads));
  };
  if (what == 0) {
    copy<<<blocks(4), kThreads, 0, stream>>>(from4, to4);
  } else if (what == 1) {
    multiply_add<<<blocks(1), kThreads, 0, stream>>>(from, to);
  } else if (what == 2) {
    fill<<<blocks(4), kThreads, 0, stream>>>(to4);
  } else {
    read_all<<<blocks(4 * kReads), kThreads, 0, stream>>>(from4, to);
  }
}

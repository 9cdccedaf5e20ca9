// What a profile run counts, against numbers worked out by hand. Compiled with --profile.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <simt/inspect.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using simt::LaunchCounts;
using simt::Traffic;
using Number = std::uint64_t;

int failures = 0;
int checks = 0;

void equal(const char* scenario, const char* what, Number got, Number expected) {
  ++checks;
  if (got == expected) return;
  ++failures;
  std::printf("FAILED %s: %s is %llu, expected %llu\n", scenario, what,
              static_cast<unsigned long long>(got), static_cast<unsigned long long>(expected));
}

struct Expected {
  Number requests, lanes, bytes, transactions, best;
};

void equal(const char* scenario, const Traffic& got, const Expected& expected) {
  equal(scenario, "requests", got.requests, expected.requests);
  equal(scenario, "lanes", got.lanes, expected.lanes);
  equal(scenario, "bytes", got.bytes, expected.bytes);
  equal(scenario, "transactions", got.transactions, expected.transactions);
  equal(scenario, "best", got.best, expected.best);
}

// Full warps that move `words` of 4 bytes a lane in `transactions` each.
Expected full(Number requests, Number transactions, Number best, Number words = 1) {
  return {requests, requests * 32, requests * 128 * words, requests * transactions,
          requests * best};
}

template <class T>
T* array(std::size_t count) {
  T* data;
  cudaMalloc(&data, count * sizeof(T));
  cudaMemset(data, 0, count * sizeof(T));
  return data;
}

template <class Run>
LaunchCounts counted(const char* scenario, Run run) {
  simt::take_counts();
  simt::set_profiling(true);
  run();
  simt::set_profiling(false);
  const std::vector<LaunchCounts> all = simt::take_counts();
  equal(scenario, "launches", all.size(), 1);
  if (all.empty()) return {};
  equal(scenario, "exact", all[0].exact, 1);
  return all[0];
}

// ---- Coalescing ----

__global__ void strided(const float* a, float* o, int stride) {
  o[threadIdx.x] = a[threadIdx.x * stride];
}

__global__ void transposed(const float* a, float* o) {
  for (int y = 0; y < 32; ++y) o[threadIdx.x * 32 + y] = a[y * 32 + threadIdx.x];
}

__global__ void offset_by_one(const float* a, float* o) {
  o[threadIdx.x] = a[threadIdx.x + 1];
}

__global__ void structures(const float3* a, float* o) {
  const float3 v = a[threadIdx.x];
  o[threadIdx.x] = v.x + v.y + v.z;
}

__global__ void vectors(const float4* a, float4* o) {
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void members(const float4* a, float4* o) {
  float4 v = a[threadIdx.x];
  v.x = v.x < 0 ? 0 : v.x;
  v.w += v.y;
  o[threadIdx.x] = v;
}

__global__ void bytes(const unsigned char* a, unsigned short* o) {
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void broadcast(const float* a, float* o) {
  o[threadIdx.x] = a[5];
}

__global__ void read_only(const float* __restrict__ a, float* o) {
  __stcs(&o[threadIdx.x], __ldg(&a[threadIdx.x * 2]));
}

__global__ void twice(const float* a, float* o, int n) {
  float sum = 0;
  for (int k = 0; k < 2 * n; k += 32) sum += a[k % n + threadIdx.x];
  o[threadIdx.x] = sum;
}

__global__ void guarded(const float* a, float* o, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i];
}

void coalescing() {
  float* a = array<float>(4096);
  float* o = array<float>(4096);
  for (const int stride : {1, 2, 32}) {
    const LaunchCounts c = counted("stride", [&] { strided<<<1, 32>>>(a, o, stride); });
    equal("stride, loads", c.global_loads, full(1, stride == 32 ? 32 : stride * 4, 4));
    equal("stride, stores", c.global_stores, full(1, 4, 4));
  }
  LaunchCounts c = counted("transposed", [&] { transposed<<<1, 32>>>(a, o); });
  equal("transposed, loads", c.global_loads, full(32, 4, 4));
  equal("transposed, stores", c.global_stores, full(32, 32, 4));
  equal("transposed, stores", "different", c.global_stores.different, 128);

  c = counted("offset 1", [&] { offset_by_one<<<1, 32>>>(a, o); });
  equal("offset 1", c.global_loads, full(1, 5, 4));

  c = counted("float3", [&] { structures<<<1, 32>>>(reinterpret_cast<float3*>(a), o); });
  equal("float3", c.global_loads, full(3, 12, 4));
  equal("float3", "different", c.global_loads.different, 12);

  c = counted("float4", [&] {
    vectors<<<1, 32>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(o));
  });
  equal("float4, loads", c.global_loads, full(1, 16, 16, 4));
  equal("float4, stores", c.global_stores, full(1, 16, 16, 4));

  c = counted("float4 by members", [&] {
    members<<<1, 32>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(o));
  });
  equal("float4 by members, loads", c.global_loads, full(1, 16, 16, 4));
  equal("float4 by members, stores", c.global_stores, full(1, 16, 16, 4));

  c = counted("bytes", [&] {
    bytes<<<1, 32>>>(reinterpret_cast<unsigned char*>(a), reinterpret_cast<unsigned short*>(o));
  });
  equal("bytes, loads", c.global_loads, {1, 32, 32, 1, 1});
  equal("bytes, stores", c.global_stores, {1, 32, 64, 2, 2});

  c = counted("broadcast", [&] { broadcast<<<1, 32>>>(a, o); });
  equal("broadcast", c.global_loads, full(1, 1, 1));

  c = counted("cache hints", [&] { read_only<<<1, 32>>>(a, o); });
  equal("cache hints, loads", c.global_loads, full(1, 8, 4));
  equal("cache hints, stores", c.global_stores, full(1, 4, 4));

  c = counted("twice", [&] { twice<<<1, 32>>>(a, o, 256); });
  equal("twice", c.global_loads, full(16, 4, 4));
  equal("twice", "different", c.global_loads.different, 32);

  // 100 elements: three full warps of the first block, a fourth with 4 lanes, nothing of the second.
  c = counted("guard", [&] { guarded<<<2, 128>>>(a, o, 100); });
  equal("guard", c.global_loads, {4, 100, 400, 13, 13});
  equal("guard", "blocks", c.blocks, 2);
}

// ---- Divergence ----

__global__ void continues(const float* a, float* o, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if ((threadIdx.x + k) % 4 == 0) continue;
    sum += a[k * 32 + threadIdx.x];
  }
  o[threadIdx.x] = sum;
}

__global__ void branches(const float* a, const float* b, float* o) {
  float v;
  if (threadIdx.x % 2 == 0) {
    v = a[threadIdx.x];
  } else {
    v = b[threadIdx.x];
  }
  o[threadIdx.x] = v;
}

__device__ __noinline__ float chain(const float* a, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k];
  return sum;
}

__global__ void calls(const float* a, float* o) {
  float v = 0;
  if (threadIdx.x < 8) v = chain(a, threadIdx.x);
  o[threadIdx.x] = v + a[threadIdx.x];
}

__global__ void unequal_loops(const float* a, float* o) {
  float sum = 0;
  for (int k = 0; k < static_cast<int>(threadIdx.x); ++k) sum += a[k];
  o[threadIdx.x] = sum;
}

__global__ void breaks(const float* a, float* o, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float v = a[k];
    if (k == static_cast<int>(threadIdx.x)) break;
    sum += v;
  }
  o[threadIdx.x] = sum;
}

__global__ void returns(const float* a, float* o) {
  if (threadIdx.x >= 20) return;
  o[threadIdx.x] = a[threadIdx.x];
}

__global__ void nested(const float* a, float* o) {
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    if ((threadIdx.x & 1) == 0) {
      for (int k = 0; k < 3; ++k) {
        if (k == 1 && threadIdx.x < 16) continue;
        sum += a[k];
      }
    }
    sum += a[i];
  }
  o[threadIdx.x] = sum;
}

void divergence() {
  float* a = array<float>(4096);
  float* o = array<float>(64);
  LaunchCounts c = counted("continue", [&] { continues<<<1, 32>>>(a, o, 32); });
  // 24 of 32 lanes a row, in all four sectors of it; packed they would fill three.
  equal("continue, loads", c.global_loads, {32, 768, 3072, 128, 96});
  equal("continue, stores", c.global_stores, full(1, 4, 4));

  c = counted("branches", [&] { branches<<<1, 32>>>(a, a + 1024, o); });
  equal("branches, loads", c.global_loads, {2, 32, 128, 8, 4});
  equal("branches, stores", c.global_stores, full(1, 4, 4));

  // Lane t of the first eight reads t elements: 7 requests of 7 + 6 + ... + 1 lanes; then all 32.
  c = counted("calls", [&] { calls<<<1, 32>>>(a, o); });
  equal("calls", c.global_loads, {7 + 1, 28 + 32, 240, 7 + 4, 7 + 4});
  equal("calls, stores", c.global_stores, full(1, 4, 4));

  c = counted("unequal loops", [&] { unequal_loops<<<1, 32>>>(a, o); });
  equal("unequal loops", c.global_loads, {31, 496, 1984, 31, 31});
  equal("unequal loops, stores", c.global_stores, full(1, 4, 4));

  c = counted("break", [&] { breaks<<<1, 32>>>(a, o, 32); });
  equal("break", c.global_loads, {32, 528, 2112, 32, 32});
  equal("break, stores", c.global_stores, full(1, 4, 4));

  c = counted("return", [&] { returns<<<1, 32>>>(a, o); });
  equal("return", c.global_loads, {1, 20, 80, 3, 3});

  // Four times: k = 0 and 2 with 16 lanes, k = 1 with 8; then all.
  c = counted("nested", [&] { nested<<<1, 32>>>(a, o); });
  equal("nested", c.global_loads, {4 * 4, 4 * (16 + 8 + 16 + 32), 4 * 72 * 4, 16, 16});
  equal("nested, stores", c.global_stores, full(1, 4, 4));
}

// ---- Banks ----

template <int stride>
__global__ void banks(float* o) {
  __shared__ float s[32 * 33];
  s[threadIdx.x * stride] = 1;
  o[threadIdx.x] = s[threadIdx.x * stride];
}

__global__ void one_word(float* o) {
  __shared__ float s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  o[threadIdx.x] = s[7];
}

template <int width>
__global__ void columns(float* o) {
  __shared__ float tile[32][width];
  for (int y = 0; y < 32; ++y) tile[y][threadIdx.x] = 1;
  __syncthreads();
  float sum = 0;
  for (int y = 0; y < 32; ++y) sum += tile[threadIdx.x][y];
  o[threadIdx.x] = sum;
}

template <class T>
__global__ void wide(T* o, T value) {
  __shared__ T s[32];
  s[threadIdx.x] = value;
  o[threadIdx.x] = s[threadIdx.x];
}

__global__ void dynamic(float* o) {
  extern __shared__ float d[];
  d[threadIdx.x * 2] = 1;
  o[threadIdx.x] = d[threadIdx.x * 2];
}

__global__ void packed(float* o) {
  __shared__ unsigned char s[128];
  s[threadIdx.x] = 1;  // four lanes a word
  o[threadIdx.x] = s[threadIdx.x * 4];
}

__global__ void asynchronous(const float4* a, float* o) {
  __shared__ float4 s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &a[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  o[threadIdx.x] = s[threadIdx.x].x;
}

void shared_banks() {
  float* o = array<float>(128);
  LaunchCounts c = counted("banks, stride 1", [&] { banks<1><<<1, 32>>>(o); });
  equal("banks, stride 1, stores", c.shared_stores, full(1, 1, 1));
  equal("banks, stride 1, loads", c.shared_loads, full(1, 1, 1));
  c = counted("banks, stride 2", [&] { banks<2><<<1, 32>>>(o); });
  equal("banks, stride 2", c.shared_loads, full(1, 2, 1));
  c = counted("banks, stride 32", [&] { banks<32><<<1, 32>>>(o); });
  equal("banks, stride 32", c.shared_loads, full(1, 32, 1));
  c = counted("banks, stride 33", [&] { banks<33><<<1, 32>>>(o); });
  equal("banks, stride 33", c.shared_loads, full(1, 1, 1));
  c = counted("banks, broadcast", [&] { one_word<<<1, 32>>>(o); });
  equal("banks, broadcast", c.shared_loads, full(1, 1, 1));
  equal("banks, broadcast", "barriers", c.barriers, 1);
  c = counted("columns of [32][32]", [&] { columns<32><<<1, 32>>>(o); });
  equal("columns of [32][32], stores", c.shared_stores, full(32, 1, 1));
  equal("columns of [32][32], loads", c.shared_loads, full(32, 32, 1));
  c = counted("columns of [32][33]", [&] { columns<33><<<1, 32>>>(o); });
  equal("columns of [32][33]", c.shared_loads, full(32, 1, 1));
  c = counted("float2", [&] { wide<<<1, 32>>>(reinterpret_cast<float2*>(o), float2{1, 2}); });
  equal("float2", c.shared_loads, full(1, 2, 2, 2));
  c = counted("float4", [&] { wide<<<1, 32>>>(reinterpret_cast<float4*>(o), float4{1, 2, 3, 4}); });
  equal("float4", c.shared_loads, full(1, 4, 4, 4));
  c = counted("dynamic", [&] { dynamic<<<1, 32, 256>>>(o); });
  equal("dynamic", c.shared_loads, full(1, 2, 1));
  c = counted("asynchronous copy", [&] {
    asynchronous<<<1, 32>>>(reinterpret_cast<float4*>(array<float>(128)), o);
  });
  equal("asynchronous copy, loads", c.global_loads, full(1, 16, 16, 4));
  equal("asynchronous copy, stores", c.shared_stores, full(1, 4, 4, 4));
  c = counted("packed", [&] { packed<<<1, 32>>>(o); });
  equal("packed, stores", c.shared_stores, {1, 32, 32, 1, 1});
  equal("packed, loads", c.shared_loads, {1, 32, 32, 1, 1});
}

// ---- Atomics, barriers, warp operations ----

__device__ int total;

__global__ void atomics(int* counters, int different) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counters[threadIdx.x % different], 1);
  atomicAdd(&s[threadIdx.x % 32], 1);
  atomicAdd(&total, 1);
}

__global__ void reduction(const float* a, float* o) {
  __shared__ float s[128];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (static_cast<int>(threadIdx.x) < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) o[blockIdx.x] = s[0];
}

__global__ void warp_sum(const float* a, float* o) {
  float sum = a[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) o[threadIdx.x / 32] = sum;
}

void meetings() {
  float* a = array<float>(1024);
  int* counters = array<int>(32);
  LaunchCounts c = counted("atomics", [&] { atomics<<<1, 64>>>(counters, 4); });
  // Two warps: each once at 4 counters in one sector, once at `total`.
  equal("atomics", c.global_atomics, {4, 128, 512, 4, 4});
  equal("atomics", "crowd", c.global_atomics.crowd, 2 * 8 + 2 * 32);
  equal("atomics, shared", c.shared_atomics, full(2, 1, 1));
  equal("atomics, shared", "crowd", c.shared_atomics.crowd, 2);

  c = counted("reduction", [&] { reduction<<<3, 128>>>(a, a + 512); });
  equal("reduction", "barriers", c.barriers, 3 * 8);
  // A block: 4 warps store; then 2, 1, 1, 1, 1, 1, 1 warps of 64, 32, ..., 1 lanes read two words.
  equal("reduction, stores", "requests", c.shared_stores.requests, 3 * (4 + 8));
  equal("reduction, stores", "lanes", c.shared_stores.lanes, 3 * (128 + 127));
  equal("reduction, loads", "requests", c.shared_loads.requests, 3 * (2 * 8 + 1));
  equal("reduction, loads", "lanes", c.shared_loads.lanes, 3 * (2 * 127 + 1));

  c = counted("shuffles", [&] { warp_sum<<<2, 64>>>(a, a + 512); });
  equal("shuffles", "warp operations", c.warp_operations, 2 * 2 * 5);
  equal("shuffles", c.global_stores, {4, 4, 16, 4, 4});
}

// ---- Arithmetic ----

__global__ void arithmetic(const float* a, float* o, int n) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * 3.0f;
  sum = fmaf(sum, 3.0f, 1.0f);
  sum = sum / (a[0] + 2.0f);
  if (threadIdx.x < 16) sum = sqrtf(expf(sum));
  o[threadIdx.x] = fmaxf(sum, 0.0f);
}

__global__ void integers(const int* a, int* o) {
  o[threadIdx.x] = a[threadIdx.x] * 3 + 1;
}

void operations() {
  float* a = array<float>(64);
  LaunchCounts c = counted("arithmetic", [&] { arithmetic<<<1, 32>>>(a, a + 32, 10); });
  equal("arithmetic", "operations", c.operations, 32 * (10 * 2 + 2 + 2) + 16 * 2);
  c = counted("integers", [&] {
    integers<<<1, 32>>>(reinterpret_cast<int*>(a), reinterpret_cast<int*>(a) + 32);
  });
  equal("integers", "operations", c.operations, 0);
  equal("integers", "lanes", c.step_lanes, 32 * c.steps);
}

// ---- Threads that wait for each other end ----

__global__ void lock_in_a_warp(int* lock, int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      volatile int* guarded_count = count;
      *guarded_count = *guarded_count + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

__global__ void flag_between_warps(volatile int* flag, int* o) {
  if (threadIdx.x < 32) {
    while (*flag == 0) {
    }
    o[threadIdx.x] = 1;
  } else if (threadIdx.x == 32) {
    *flag = 1;
  }
}

__global__ void publish_block(volatile int* flag, int* o) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
    o[threadIdx.x] = 1;
  } else if (threadIdx.x == 0) {
    *flag = 1;
  }
}

void waits() {
  int* memory = array<int>(128);
  simt::set_launch_time_limit(5);
  counted("lock", [&] { lock_in_a_warp<<<1, 32>>>(memory, memory + 1); });
  int count = 0;
  cudaMemcpy(&count, memory + 1, sizeof count, cudaMemcpyDeviceToHost);
  equal("lock", "count", static_cast<Number>(count), 32);
  LaunchCounts c =
      counted("flag", [&] { flag_between_warps<<<1, 64>>>(memory + 2, memory + 32); });
  equal("flag", "last store", c.global_stores.lanes, 33);
  c = counted("blocks", [&] { publish_block<<<2, 32>>>(memory + 3, memory + 32); });
  equal("blocks", "blocks", c.blocks, 2);
  simt::set_launch_time_limit(0);
}

// ---- Host ----

void host() {
  float* a = array<float>(64);
  simt::take_host_counts();
  strided<<<1, 32>>>(a, a + 32, 1);
  strided<<<1, 32>>>(a, a + 32, 1);
  cudaDeviceSynchronize();
  cudaStreamSynchronize(nullptr);
  float value;
  cudaMemcpy(&value, a, sizeof value, cudaMemcpyDeviceToHost);
  cudaMemsetAsync(a, 0, 4, nullptr);
  const simt::HostCounts counts = simt::take_host_counts();
  equal("host", "launches", counts.launches, 2);
  equal("host", "waits", counts.waits, 3);
  equal("host", "counts without profiling", simt::take_counts().size(), 0);
}

}  // namespace

int main() {
  coalescing();
  divergence();
  shared_banks();
  meetings();
  operations();
  waits();
  host();
  for (const simt::Diagnostic& diagnostic : simt::take_diagnostics()) {
    if (diagnostic.severity == simt::Severity::note) continue;
    std::printf("FAILED: %s\n", diagnostic.message.c_str());
    ++failures;
  }
  std::printf("%d numbers, %d wrong\n", checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

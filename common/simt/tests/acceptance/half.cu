// 16-bit floating-point numbers under the checks: reports stand on the kernel's lines, also where a
// header's code made the access.
#include "acceptance.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using acceptance::Array;

__global__ void scale(const __half* in, __half* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = in[i] * __half(2.0f);  // @read
}
void run_unwritten() {
  Array<__half> in(32, "in");
  Array<__half> out(32, "out");
  scale<<<1, 32>>>(in, out, 32);
}
void run_written() {
  Array<__half> in(32, __half(1.5f), "in");
  Array<__half> out(32, "out");
  scale<<<1, 32>>>(in, out, 32);
  REQUIRE(static_cast<float>(out.values()[31]) == 3);
}
void run_past_the_end() {
  Array<__half> in(32, __half(1.5f), "in");
  Array<__half> out(33, "out");
  scale<<<1, 64>>>(in, out, 33);
}

__global__ void add_all(__half* sum, const __half* in) {
  *sum += in[threadIdx.x];  // @add
}
void run_race() {
  Array<__half> in(32, __half(1.0f), "in");
  Array<__half> sum(1, __half(0.0f), "sum");
  add_all<<<1, 32>>>(sum, in);
}

// Two threads at the two halves of one word do not race.
__global__ void neighbours(__nv_bfloat16* d) {
  const int i = threadIdx.x;
  d[i] += __nv_bfloat16(1.0f);
  __syncwarp();
  d[i] = __hfma(d[i ^ 1], d[i], d[i ^ 1]) * __nv_bfloat16(0.0f);  // @exchange
}
void run_neighbours() {
  Array<__nv_bfloat16> d(32, __nv_bfloat16(1.0f), "d");
  neighbours<<<1, 32>>>(d);
}

__global__ void sum_atomically(__half* sum, __half2* pair) {
  atomicAdd(sum, __half(1.0f));
  atomicAdd(pair, __floats2half2_rn(1.0f, 2.0f));
}
void run_atomics() {
  Array<__half> sum(1, __half(0.0f), "sum");
  Array<__half2> pair(1, __half2(0.0f, 0.0f), "pair");
  sum_atomically<<<2, 64>>>(sum, pair);
  REQUIRE(static_cast<float>(sum.values()[0]) == 128);
  REQUIRE(__high2float(pair.values()[0]) == 256);
}

__global__ void cached(const __half2* in, __half2* out) {
  out[threadIdx.x] = __ldg(in + threadIdx.x + 1);  // @ldg
}
void run_cached() {
  Array<__half2> in(32, __half2(1.0f, 2.0f), "in");
  Array<__half2> out(32, "out");
  cached<<<1, 32>>>(in, out);
}

__global__ void pairs(const __half* in, float* out) {
  const __half2* p = reinterpret_cast<const __half2*>(in + 1);
  out[threadIdx.x] = __low2float(p[threadIdx.x]);  // @pairs
}
void run_misaligned_pair() {
  Array<__half> in(64, __half(1.0f), "in");
  Array<float> out(8, "out");
  pairs<<<1, 8>>>(in, out);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"unwritten", run_unwritten, {"note uninitialized_read @read"}, {"in[0]"}},
          {"written", run_written, {}},
          {"past the end", run_past_the_end, {"out_of_bounds @read"}, {"in[32]"}, cudaErrorIllegalAddress},
          {"race", run_race, {"race @add"}, {"sum"}},
          {"neighbours in a word", run_neighbours, {"race @exchange"}},
          {"atomics", run_atomics, {}},
          {"cached", run_cached, {"out_of_bounds @ldg"}, {"in[32]"}, cudaErrorIllegalAddress},
          {"misaligned pair", run_misaligned_pair, {"misaligned @pairs"}, {}, cudaErrorMisalignedAddress},
      });
}

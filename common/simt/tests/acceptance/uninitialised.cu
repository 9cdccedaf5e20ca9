// Reads of memory that nothing wrote.
#include "acceptance.h"

using acceptance::Array;

__global__ void double_it(const float* in, float* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // @global
}
void run_global() {
  Array<float> in(32, "in");
  Array<float> out(32, "out");
  double_it<<<1, 32>>>(in, out);
}
void run_marked_unwritten() {
  Array<float> in(32, 1.0f, "in");
  Array<float> out(32, "out");
  simt::mark_unwritten(in, 32 * sizeof(float));
  double_it<<<1, 32>>>(in, out);
}
void run_written_by_memset() {
  Array<float> in(32, "in");
  Array<float> out(32, "out");
  cudaMemset(in, 0, 32 * sizeof(float));
  double_it<<<1, 32>>>(in, out);
  REQUIRE(out.values()[7] == 0);
}
void run_memset_in_elements() {
  Array<float> in(32, "in");
  Array<float> out(32, "out");
  cudaMemset(in, 0, 32);  // bytes, not elements
  double_it<<<1, 32>>>(in, out);
}
void run_copied_unwritten() {
  Array<float> in(32, "in");
  Array<float> copy(32, "copy");
  Array<float> out(32, "out");
  cudaMemcpy(copy, in, 32 * sizeof(float), cudaMemcpyDeviceToDevice);
  double_it<<<1, 32>>>(copy, out);
}

__global__ void accumulate(float* sum, const float* in) { atomicAdd(sum, in[threadIdx.x]); }  // @target
void run_atomic_target() {
  Array<float> in(32, 1.0f, "in");
  Array<float> sum(1, "sum");
  accumulate<<<1, 32>>>(sum, in);
}

__global__ void plus(float* sum, const float* in) { sum[threadIdx.x] += in[threadIdx.x]; }  // @plus
void run_accumulator() {
  Array<float> in(32, 1.0f, "in");
  Array<float> sum(32, "sum");
  plus<<<1, 32>>>(sum, in);
}

__global__ void halo(const float* in, float* out) {
  __shared__ float s[34];
  const int t = threadIdx.x;
  s[t + 1] = in[t];
  __syncthreads();
  out[blockIdx.x * 32 + t] = s[t] + s[t + 1] + s[t + 2];  // @halo
}
void run_halo() {
  Array<float> in(32, 1.0f, "in");
  Array<float> out(64, "out");
  halo<<<2, 32>>>(in, out);
}

__global__ void never_written(float* out) {
  __shared__ float s[32];
  out[threadIdx.x] = s[threadIdx.x];  // @never
}
void run_never_written() {
  Array<float> out(32, "out");
  never_written<<<1, 32>>>(out);
  REQUIRE(out.values()[0] != 0);
}

// What an earlier block left in shared memory counts for nothing.
__global__ void leftovers(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  if (blockIdx.x == 0) s[t] = 1;
  __syncthreads();
  out[blockIdx.x * 32 + t] = s[t];  // @left
}
void run_leftovers() {
  Array<float> out(64, "out");
  leftovers<<<2, 32>>>(out);
}

__global__ void partly(unsigned char* out) {
  __shared__ unsigned char s[8];
  if (threadIdx.x < 4 && threadIdx.x != 2) s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = s[threadIdx.x];  // @partly
}
void run_partly() {
  Array<unsigned char> out(4, "out");
  partly<<<1, 32>>>(out);
}

__global__ void local_sum(const float* in, float* out) {
  float sum;
  for (int i = 0; i < 4; ++i) sum += in[i];
  *out = sum;
}
void run_local() {
  Array<float> in(4, 1.0f, "in");
  Array<float> out(1, "out");
  local_sum<<<1, 1>>>(in, out);
  REQUIRE(out.values()[0] != 4);
}

__global__ void padded_max(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncthreads();
  float m = -INFINITY;
  for (int i = 0; i < n; ++i) m = fmaxf(m, s[i]);
  out[t] = m;
}
void run_written_part_only() {
  Array<float> in(50, 1.0f, "in");
  Array<float> out(64, "out");
  padded_max<<<1, 64>>>(in, out, 50);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"global", run_global, {"note uninitialized_read @global"}, {"reads in[0], which nothing wrote before"}},
          {"marked unwritten", run_marked_unwritten, {"note uninitialized_read @global"}, {"32 reads in all"}},
          {"written by memset", run_written_by_memset, {}},
          {"memset counts bytes", run_memset_in_elements, {"note uninitialized_read @global"}, {"in[8]", "24 reads in all"}},
          {"copied unwritten", run_copied_unwritten, {"note uninitialized_read @global"}, {"copy[0]"}},
          {"target of an atomic", run_atomic_target, {"note uninitialized_read @target"}, {"sum[0]"}},
          {"accumulator", run_accumulator, {"note uninitialized_read @plus"}},
          {"halo", run_halo, {"note uninitialized_read @halo"}, {"s[0]"}},
          {"never written", run_never_written, {"note uninitialized_read @never"}},
          {"leftovers of another block", run_leftovers, {"note uninitialized_read @left"}, {"block (1,0,0)"}},
          {"partly written word", run_partly, {"note uninitialized_read @partly"}, {"s[2]"}},
          {"local variable", run_local, {}},
          {"written part only", run_written_part_only, {}},
      });
}

// Barriers and warp operations that not everyone reaches.
#include "acceptance.h"

using acceptance::Array;

__global__ void early_return(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = in[i];
  __syncthreads();  // @early
  out[i] = s[threadIdx.x];
}
void run_early_return(int n) {
  Array<float> in(n, 1.0f, "in");
  Array<float> out(n, "out");
  early_return<<<2, 64>>>(in, out, n);
}
void run_early_return_part_of_warp() { run_early_return(100); }
void run_early_return_whole_warps() { run_early_return(96); }
void run_early_return_none() { run_early_return(128); }

__global__ void two_sites(float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    __syncthreads();  // @then
    out[t] = s[t + 32];
  } else {
    __syncthreads();  // @else
    out[t] = s[t - 32];
  }
}
void run_two_sites() {
  Array<float> out(64, "out");
  two_sites<<<1, 64>>>(out);
}

__global__ void unequal_trips(float* out) {
  for (int i = 0; i < int(threadIdx.x / 32) + 1; ++i) {
    out[threadIdx.x] = i;
    __syncthreads();  // @trips
  }
}
void run_unequal_trips() {
  Array<float> out(96, "out");
  unequal_trips<<<1, 96>>>(out);
}

// NVIDIA's sample for synccheck: the barrier sits in a loop that some threads leave earlier.
__global__ void divergent_threads(float* out, int n) {
  __shared__ float s[64];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    s[threadIdx.x] = i;
    __syncthreads();  // @divergent
    out[i] = s[threadIdx.x];
  }
}
void run_divergent_threads() {
  Array<float> out(80, "out");
  divergent_threads<<<1, 64>>>(out, 80);
}

// Optimisers like to split this in two.
__global__ void jump_threading(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  const bool c = t < n;
  if (c) s[t] = in[t];
  __syncthreads();
  if (c) out[t] = s[n - 1 - t];
}
void run_jump_threading() {
  Array<float> in(40, 1.0f, "in");
  Array<float> out(40, "out");
  jump_threading<<<1, 64>>>(in, out, 40);
  REQUIRE(out.values()[3] == 1);
}

__device__ float block_sum(float x, float* s) {
  s[threadIdx.x] = x;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < int(blockDim.x); ++i) sum += s[i];
  __syncthreads();
  return sum;
}
__global__ void helper_in_branches(float* out, bool split) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float sum;
  if (split && t < 32) {
    sum = block_sum(1, s);  // @call1
  } else {
    sum = block_sum(2, s);  // @call2
  }
  out[t] = sum;
}
void run_helper_in_branches() {
  Array<float> out(64, "out");
  helper_in_branches<<<1, 64>>>(out, true);
}
void run_helper() {
  Array<float> out(64, "out");
  helper_in_branches<<<1, 64>>>(out, false);
  REQUIRE(out.values()[9] == 128);
}
__global__ void helper_after_condition(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  float x = 0;
  if (t < n) x = in[t];
  const float sum = block_sum(x, s);
  if (t < n) out[t] = sum;
}
void run_helper_after_condition() {
  Array<float> in(40, 1.0f, "in");
  Array<float> out(40, "out");
  helper_after_condition<<<1, 64>>>(in, out, 40);
  REQUIRE(out.values()[3] == 40);
}

__global__ void predicates(int* out) {
  const int t = threadIdx.x;
  out[t] = __syncthreads_count(t % 3 == 0) * 100 + __syncthreads_and(t < 64) * 10 +
           __syncthreads_or(t == 63) + __syncthreads_and(t < 63) * 1000;
}
void run_predicates() {
  Array<int> out(64, "out");
  predicates<<<1, 64>>>(out);
  REQUIRE(out.values()[10] == 22 * 100 + 10 + 1);
}

// ---- Warps ----

__global__ void shuffle_in_branch(float* out) {
  const int lane = threadIdx.x;
  float x = lane;
  if (lane < 16) x += __shfl_down_sync(0xffffffff, x, 8);  // @branch
  out[lane] = x;
}
void run_shuffle_in_branch() {
  Array<float> out(32, "out");
  shuffle_in_branch<<<1, 32>>>(out);
}

__global__ void illegal_syncwarp(float* out) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp(0x0000ffff);  // @illegal
  out[threadIdx.x] = s[threadIdx.x];
}
void run_illegal_syncwarp() {
  Array<float> out(32, "out");
  illegal_syncwarp<<<1, 32>>>(out);
}

__global__ void exited_lane(float* out) {
  if (threadIdx.x >= 20) return;
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, float(threadIdx.x), 1);  // @exited
}
void run_exited_lane() {
  Array<float> out(32, "out");
  exited_lane<<<1, 32>>>(out);
}

__global__ void mask_by_ballot(const float* in, float* out, int n) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffff, lane < n);
  if (lane < n) {
    float x = in[lane];
    for (int d = 16; d > 0; d /= 2) {
      const float y = __shfl_down_sync(mask, x, d);  // @ballot
      if (lane + d < n) x += y;
    }
    if (lane == 0) *out = x;
  }
}
void run_mask_by_ballot() {
  Array<float> in(20, 1.0f, "in");
  Array<float> out(1, "out");
  mask_by_ballot<<<1, 32>>>(in, out, 20);
  REQUIRE(out.values()[0] == 20);
}

__global__ void active_mask(unsigned* out) {
  if (threadIdx.x % 4 == 0) out[threadIdx.x] = __activemask();
}
void run_active_mask() {
  Array<unsigned> out(32, 0u, "out");
  active_mask<<<1, 32>>>(out);
  REQUIRE(out.values()[4] == 0x11111111u);
}

__global__ void half_warps(int* out) {
  const int lane = threadIdx.x;
  int x = lane;
  for (int d = 8; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d, 16);
  out[lane] = x;
}
void run_half_warps() {
  Array<int> out(32, "out");
  half_warps<<<1, 32>>>(out);
  REQUIRE(out.values()[3] == 120);
  REQUIRE(out.values()[20] == 376);
}

__global__ void partial_warp(int* out) {
  int x = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);  // @partial
  if (threadIdx.x == 0) *out = x;
}
// A block whose last warp is not full: the lanes that do not exist need not arrive, but what a lane
// takes from them is undefined.
void run_partial_warp() {
  Array<int> out(1, "out");
  partial_warp<<<1, 20>>>(out);
}

__global__ void many(unsigned* out) {
  const int lane = threadIdx.x;
  unsigned ok = 0;
  ok += __shfl_sync(0xffffffff, lane * 10, 5) == 50;
  ok += __shfl_up_sync(0xffffffff, lane, 1) == (lane == 0 ? 0 : lane - 1);
  ok += __shfl_down_sync(0xffffffff, lane, 1) == (lane == 31 ? 31 : lane + 1);
  ok += __shfl_xor_sync(0xffffffff, 1.5 * lane, 3) == 1.5 * (lane ^ 3);
  ok += __all_sync(0xffffffff, lane < 32) && !__all_sync(0xffffffff, lane < 31);
  ok += __any_sync(0xffffffff, lane == 31) && !__any_sync(0xffffffff, lane > 31);
  ok += __ballot_sync(0xffffffff, lane % 2) == 0xaaaaaaaau;
  ok += __match_any_sync(0xffffffff, lane / 8) == 0xffu << (lane / 8 * 8);
  int all;
  ok += __match_all_sync(0xffffffff, 7, &all) == 0xffffffffu && all;
  ok += __match_all_sync(0xffffffff, lane, &all) == 0 && !all;
  ok += __reduce_add_sync(0xffffffff, unsigned(lane)) == 496;
  ok += __reduce_min_sync(0xffffffff, lane - 5) == -5;
  ok += __reduce_max_sync(0xffffffff, unsigned(lane)) == 31;
  ok += __reduce_or_sync(0xffffffff, 1u << lane) == 0xffffffffu;
  ok += __reduce_xor_sync(0xffffffff, unsigned(lane)) == 0;
  out[lane] = ok;
}
void run_many() {
  Array<unsigned> out(32, "out");
  many<<<1, 32>>>(out);
  for (unsigned ok : out.values()) REQUIRE(ok == 15);
}

// ---- Deadlocks and endless loops ----

__global__ void wait_for_nobody(int* flag) {
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) == 0) {  // @spin
    }
  }
}
void run_wait_for_nobody() {
  Array<int> flag(1, 0, "flag");
  wait_for_nobody<<<1, 32>>>(flag);
}

__global__ void endless_with_access(const int* flag) {
  while (*flag == 0) __threadfence();  // @endless_access
}
void run_endless_with_access() {
  Array<int> flag(1, 0, "flag");
  simt::set_launch_time_limit(0.2);
  endless_with_access<<<1, 1>>>(flag);
}

__global__ void endless_without_access(float* out, float x) {
  while (x > 0) x = x * 0.5f + 1;  // @endless
  *out = x;
}
void run_endless_without_access() {
  Array<float> out(1, "out");
  simt::set_launch_time_limit(0.2);
  endless_without_access<<<4, 64>>>(out, 1);
}

__global__ void endless_at_barrier(float* out) {
  for (;;) {
    __syncthreads(); if (*out > 1) break;  // @endless_barrier
  }
}
void run_endless_at_barrier() {
  Array<float> out(1, 0.0f, "out");
  simt::set_launch_time_limit(0.2);
  endless_at_barrier<<<1, 64>>>(out);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"return before, part of a warp", run_early_return_part_of_warp, {"barrier_divergence @early"}, {"36 of the 64 threads", "threads 36-63 have returned"}},
          {"return before, whole warps", run_early_return_whole_warps, {"barrier_divergence @early"}, {"32 of the 64 threads"}},
          {"return before, none", run_early_return_none, {}},
          {"two sites", run_two_sites, {"barrier_divergence @then @else"}, {"threads 0-31 at line"}},
          {"unequal trips", run_unequal_trips, {"barrier_divergence @trips"}},
          {"divergent threads", run_divergent_threads, {"barrier_divergence @divergent"}},
          {"jump threading", run_jump_threading, {}},
          {"helper called on both sides", run_helper_in_branches, {"barrier_divergence @call1 @call2"}},
          {"helper", run_helper, {}},
          {"helper after a condition", run_helper_after_condition, {}},
          {"predicates", run_predicates, {}},
          {"shuffle in a branch", run_shuffle_in_branch, {"barrier_divergence @branch"}, {"names lanes 16-31"}},
          {"illegal syncwarp", run_illegal_syncwarp, {"barrier_divergence @illegal"}, {"which does not name it"}},
          {"exited lane in the mask", run_exited_lane, {"barrier_divergence @exited"}, {"names lanes 20-31", "returned"}},
          {"mask by ballot", run_mask_by_ballot, {"note uninitialized_read @ballot"}},
          {"active mask", run_active_mask, {}},
          {"half warps", run_half_warps, {}},
          {"partial warp", run_partial_warp, {"note uninitialized_read @partial"}},
          {"many warp operations", run_many, {}},
          {"wait for nobody", run_wait_for_nobody, {"deadlock @spin"}, {"spin"}, cudaErrorLaunchTimeout},
          {"endless, with access", run_endless_with_access, {"endless_loop @endless_access"}, {}, cudaErrorLaunchTimeout},
          {"endless, without access", run_endless_without_access, {"endless_loop @endless"}, {}, cudaErrorLaunchTimeout},
          {"endless at a barrier", run_endless_at_barrier, {"endless_loop @endless_barrier"}, {}, cudaErrorLaunchTimeout},
      });
}

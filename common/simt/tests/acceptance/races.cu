// Data races inside warps, inside blocks and between blocks, and what looks like one and is none.
#include "acceptance.h"

using acceptance::Array;

// ---- Inside a block ----

__global__ void block_error(const int* in, int* out, bool synchronise) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = in[t];  // @be_write
  if (synchronise) __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 128; ++i) sum += s[i];  // @be_read
    *out = sum;
  }
}
void run_block_error() {
  Array<int> in(128, 1, "in");
  Array<int> out(1, "out");
  block_error<<<1, 128>>>(in, out, false);
}
void run_block_fixed() {
  Array<int> in(128, 1, "in");
  Array<int> out(1, "out");
  block_error<<<1, 128>>>(in, out, true);
  REQUIRE(out.values()[0] == 128);
}

__global__ void tree(const float* in, float* out, bool loop_barrier) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s[t] += s[t + stride];  // @tree
    if (loop_barrier) __syncthreads();
  }
  if (t == 0) *out = s[0];
}
void run_tree_missing() {
  Array<float> in(256, 1.0f, "in");
  Array<float> out(1, "out");
  tree<<<1, 256>>>(in, out, false);
}
void run_tree() {
  Array<float> in(256, 1.0f, "in");
  Array<float> out(1, "out");
  tree<<<1, 256>>>(in, out, true);
  REQUIRE(out.values()[0] == 256);
}

__global__ void reuse(const float* in, float* out, bool second_barrier) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int step = 0; step < 4; ++step) {
    tile[t] = in[step * 64 + t];  // @reuse_write
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += tile[i];  // @reuse_read
    if (second_barrier) __syncthreads();
  }
  out[t] = sum;
}
void run_reuse_missing() {
  Array<float> in(256, 1.0f, "in");
  Array<float> out(64, "out");
  reuse<<<1, 64>>>(in, out, false);
}
void run_reuse() {
  Array<float> in(256, 1.0f, "in");
  Array<float> out(64, "out");
  reuse<<<1, 64>>>(in, out, true);
  REQUIRE(out.values()[5] == 256);
}

__global__ void shared_histogram(const int* in, int* out, bool atomic) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  if (atomic) {
    atomicAdd(&bins[in[t]], 1);
  } else {
    bins[in[t]] += 1;  // @sh_hist
  }
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}
void run_shared_histogram_plain() {
  Array<int> in(64, 3, "in");
  Array<int> out(8, "out");
  shared_histogram<<<1, 64>>>(in, out, false);
}
void run_shared_histogram_atomic() {
  Array<int> in(64, 3, "in");
  Array<int> out(8, "out");
  shared_histogram<<<1, 64>>>(in, out, true);
  REQUIRE(out.values()[3] == 64);
}

// ---- Global memory ----

__global__ void global_histogram(const int* in, int* bins, bool atomic) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomic) {
    atomicAdd(&bins[in[i]], 1);
  } else {
    bins[in[i]] += 1;  // @gl_hist
  }
}
void run_global_histogram_plain() {
  Array<int> in(64, 3, "in");
  Array<int> bins(8, 0, "bins");
  global_histogram<<<4, 16>>>(in, bins, false);
}
void run_global_histogram_atomic() {
  Array<int> in(64, 3, "in");
  Array<int> bins(8, 0, "bins");
  global_histogram<<<4, 16>>>(in, bins, true);
  REQUIRE(bins.values()[3] == 64);
}

__global__ void allocator(int* counter, int* slots) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int slot = *counter;  // @alloc_read
  *counter = slot + 1;        // @alloc_write
  slots[i] = slot;
}
void run_allocator() {
  Array<int> counter(1, 0, "counter");
  Array<int> slots(8, "slots");
  allocator<<<8, 1>>>(counter, slots);
}

__global__ void same_element(float* out) { out[threadIdx.x] = blockIdx.x; }  // @cross
void run_cross_block_stores() {
  Array<float> out(96, "out");
  same_element<<<2, 96>>>(out);
}

__global__ void flag(int* found, const int* in) {
  if (in[blockIdx.x * blockDim.x + threadIdx.x] == 7) *found = 1;  // @flag
}
void run_flag() {
  Array<int> found(1, 0, "found");
  Array<int> in(128, 7, "in");
  flag<<<2, 64>>>(found, in);
  REQUIRE(found.values()[0] == 1);
}

__global__ void atomic_and_plain(int* counter, int* out) {
  atomicAdd(counter, 1);         // @ap_atomic
  out[threadIdx.x] = *counter;   // @ap_plain
}
void run_atomic_and_plain() {
  Array<int> counter(1, 0, "counter");
  Array<int> out(64, "out");
  atomic_and_plain<<<1, 64>>>(counter, out);
}

// A barrier orders a plain store before atomics of its own block, and no other.
__global__ void set_then_count(int* counter) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *counter = 0;  // @set_first
  __syncthreads();
  atomicAdd(counter, 1);  // @count_then
}
void run_set_then_count() {
  Array<int> counter(1, 0, "counter");
  set_then_count<<<3, 64>>>(counter);
}
void run_set_then_count_one_block() {
  Array<int> counter(1, 7, "counter");
  set_then_count<<<1, 64>>>(counter);
  REQUIRE(counter.values()[0] == 64);
  set_then_count<<<1, 64>>>(counter);
  REQUIRE(counter.values()[0] == 64);
}

// Each block has a counter of its own, taken plainly again in the end.
__global__ void own_counters(int* counters, int* out) {
  int* own = counters + blockIdx.x;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) *own = 0;
    __syncthreads();
    atomicAdd(own, 1);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = *own;
    __syncthreads();
  }
}
void run_own_counters() {
  Array<int> counters(3, 5, "counters");
  Array<int> out(3, "out");
  own_counters<<<3, 64>>>(counters, out);
  REQUIRE(out.values()[2] == 64);
}

// A plain read, and an atomic of the same thread behind a barrier.
__global__ void read_then_count(int* counter, int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = *counter;  // @read_first
  __syncthreads();
  atomicAdd(counter, 1);  // @count_next
}
void run_read_then_count() {
  Array<int> counter(1, 0, "counter");
  Array<int> out(3, "out");
  read_then_count<<<3, 32>>>(counter, out);
}

__global__ void set_in_warp(int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;  // @set_in_warp
  __syncwarp();
  atomicAdd(&total, 1);  // @count_in_warps
  __syncthreads();
  if (threadIdx.x == 0) *out = total;
}
void run_set_in_warp() {
  Array<int> out(1, "out");
  set_in_warp<<<1, 96>>>(out);
}
void run_set_in_one_warp() {
  Array<int> out(1, "out");
  set_in_warp<<<1, 32>>>(out);
  REQUIRE(out.values()[0] == 32);
}

// Who lacks a __syncthreads is told so, although the first to meet are lanes of one warp.
__global__ void neighbours_missing(float* out) {
  __shared__ float s[128];
  s[threadIdx.x] = 1;  // @nb_write
  out[threadIdx.x] = s[(threadIdx.x + 1) % 128];  // @nb_read
}
void run_neighbours_missing() {
  Array<float> out(128, "out");
  neighbours_missing<<<1, 128>>>(out);
}
// The same within each warp's own part.
__global__ void warp_neighbours(float* out) {
  __shared__ float s[128];
  s[threadIdx.x] = 1;  // @wn_write
  out[threadIdx.x] = s[threadIdx.x ^ 1];  // @wn_read
}
void run_warp_neighbours() {
  Array<float> out(128, "out");
  warp_neighbours<<<1, 128>>>(out);
}

__global__ void block_scope(int* counter) { atomicAdd_block(counter, 1); }  // @scope
void run_block_scope() {
  Array<int> counter(1, 0, "counter");
  block_scope<<<4, 32>>>(counter);
}
void run_block_scope_one_block() {
  Array<int> counter(1, 0, "counter");
  block_scope<<<1, 64>>>(counter);
  REQUIRE(counter.values()[0] == 64);
}

// ---- Inside a warp ----

__global__ void warp_reduction(const float* in, float* out, bool synchronise) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (synchronise) __syncwarp(); else __syncthreads();
  for (int stride = 16; stride > 0; stride /= 2) {
    float x = 0;
    if (t < stride) x = s[t] + s[t + stride];  // @wr_read
    if (synchronise) __syncwarp();
    if (t < stride) s[t] = x;  // @wr_write
    if (synchronise) __syncwarp();
  }
  if (t == 0) *out = s[0];
}
void run_warp_reduction_missing() {
  Array<float> in(64, 1.0f, "in");
  Array<float> out(1, "out");
  warp_reduction<<<1, 32>>>(in, out, false);
}
void run_warp_reduction() {
  Array<float> in(64, 1.0f, "in");
  Array<float> out(1, "out");
  warp_reduction<<<1, 32>>>(in, out, true);
  REQUIRE(out.values()[0] == 32);
}

__global__ void volatile_reduction(float* in, float* out) {
  volatile __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncthreads();
  s[t] += s[t + 32];  // @vol
  s[t] += s[t + 16];  // @vol16
  if (t == 0) *out = s[0];
}
void run_volatile_reduction() {
  Array<float> in(64, 1.0f, "in");
  Array<float> out(1, "out");
  volatile_reduction<<<1, 32>>>(in, out);
}

// The lanes of one half only meet each other.
__global__ void halves(float* out, bool whole) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  const unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
  s[t] = t;  // @half_write
  __syncwarp(whole ? 0xffffffffu : mask);
  out[t] = s[whole ? t ^ 16 : t ^ 1];
  if (!whole) out[t] += s[t ^ 16];  // @half_read
}
void run_halves_wrong() {
  Array<float> out(32, "out");
  halves<<<1, 32>>>(out, false);
}
void run_halves() {
  Array<float> out(32, "out");
  halves<<<1, 32>>>(out, true);
  REQUIRE(out.values()[0] == 16);
}
__global__ void own_half(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  const unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
  s[t] = t;
  __syncwarp(mask);
  out[t] = s[t ^ 8];
}
void run_own_half() {
  Array<float> out(32, "out");
  own_half<<<1, 32>>>(out);
  REQUIRE(out.values()[0] == 8);
}

__global__ void shuffle_orders(float* out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = t;  // @so_write
  const float x = __shfl_xor_sync(0xffffffff, float(t), 1);
  out[t] = x + s[t ^ 1];  // @so_read
}
void run_shuffle_orders() {
  Array<float> out(32, "out");
  shuffle_orders<<<1, 32>>>(out);
}

// ---- Order between blocks ----

// Blocks of one warp, or of half a warp's lanes: all store, one lane counts, the last block adds up.
enum class WarpRelease { lane_fences, all_fence, half_a_warp, no_sync };
enum class Heard { by_sync, by_shuffle };
__device__ int warps_done = 0;
__global__ void last_warp(float* partial, float* out, WarpRelease how, Heard heard) {
  const int lane = threadIdx.x;
  const unsigned all = how == WarpRelease::half_a_warp ? 0xffffu : 0xffffffffu;
  if (how == WarpRelease::half_a_warp && lane >= 16) return;
  partial[blockIdx.x * 32 + lane] = lane;  // @lw_write
  if (how == WarpRelease::all_fence) __threadfence();
  if (how != WarpRelease::no_sync) __syncwarp(all);
  bool last = false;
  if (lane == 0) {
    if (how != WarpRelease::all_fence) __threadfence();
    last = atomicAdd(&warps_done, 1) == int(gridDim.x) - 1;
    __threadfence();
  }
  if (heard == Heard::by_sync) __syncwarp(all);
  last = __shfl_sync(all, last, 0);
  if (!last) return;
  float sum = 0;
  for (int b = 0; b < int(gridDim.x); ++b) sum += partial[b * 32 + lane];  // @lw_read
  out[lane] = sum;
  if (lane == 0) warps_done = 0;
}
void last_warp_of(WarpRelease how, Heard heard) {
  Array<float> partial(4 * 32, "partial"), out(32, 0, "out");
  last_warp<<<4, 32>>>(partial, out, how, heard);
  REQUIRE(out.values()[5] == 20);
  const int none = 0;
  cudaMemcpyToSymbol(warps_done, &none, sizeof none);
}
void run_last_warp() {
  last_warp_of(WarpRelease::lane_fences, Heard::by_sync);
  last_warp_of(WarpRelease::all_fence, Heard::by_sync);
  last_warp_of(WarpRelease::half_a_warp, Heard::by_sync);
}
void run_last_warp_without_sync() {
  last_warp_of(WarpRelease::no_sync, Heard::by_sync);
}
void run_last_warp_by_shuffle() {
  last_warp_of(WarpRelease::lane_fences, Heard::by_shuffle);
}

__device__ unsigned int ticket_counter;
__global__ void last_block(const float* in, float* partial, float* out, bool fence) {
  __shared__ bool last;
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  if (t == 0) {
    float sum = 0;
    for (int i = 0; i < 32; ++i) sum += s[i];
    partial[blockIdx.x] = sum;  // @lb_write
    if (fence) __threadfence();
    const unsigned ticket = atomicInc(&ticket_counter, gridDim.x - 1);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    float sum = 0;
    for (int i = 0; i < int(gridDim.x); ++i) sum += partial[i];  // @lb_read
    *out = sum;
  }
}
void run_last_block_without_fence() {
  Array<float> in(8 * 32, 1.0f, "in");
  Array<float> partial(8, "partial");
  Array<float> out(1, "out");
  last_block<<<8, 32>>>(in, partial, out, false);
}
void run_last_block() {
  Array<float> in(8 * 32, 1.0f, "in");
  Array<float> partial(8, "partial");
  Array<float> out(1, "out");
  last_block<<<8, 32>>>(in, partial, out, true);
  REQUIRE(out.values()[0] == 256);
}

__global__ void locked_add(int* lock, int* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}
void run_lock() {
  Array<int> lock(1, 0, "lock");
  Array<int> sum(1, 0, "sum");
  locked_add<<<16, 32>>>(lock, sum);
  REQUIRE(sum.values()[0] == 16);
}

__global__ void grid_barrier(int* arrived, volatile int* go, int* data, int* out) {
  if (threadIdx.x == 0) {
    data[blockIdx.x] = blockIdx.x;
    __threadfence();
    if (atomicAdd(arrived, 1) == int(gridDim.x) - 1) {
      *go = 1;
    } else {
      while (*go == 0) {  // @spin_go
      }
    }
    __threadfence();
    out[blockIdx.x] = data[(blockIdx.x + 1) % gridDim.x];
  }
}
void run_grid_barrier() {
  Array<int> arrived(1, 0, "arrived");
  Array<int> go(1, 0, "go");
  Array<int> data(8, "data");
  Array<int> out(8, "out");
  grid_barrier<<<8, 32>>>(arrived, go, data, out);
  REQUIRE(out.values()[0] == 1);
}
void run_grid_barrier_too_large() {
  Array<int> arrived(1, 0, "arrived");
  Array<int> go(1, 0, "go");
  Array<int> data(1000, "data");
  Array<int> out(1000, "out");
  grid_barrier<<<1000, 1024>>>(arrived, go, data, out);
}

// Each block waits for the flag of the one before it: the last reads what the first wrote.
__global__ void chain(int* flags, int* data, int* out) {
  const int b = blockIdx.x;
  const int t = threadIdx.x;
  if (b == 0) data[t] = t;
  if (t == 0 && b > 0) {
    while (atomicAdd(&flags[b - 1], 0) == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  if (b == int(gridDim.x) - 1) out[t] = data[31 - t];
  __syncthreads();
  if (t == 0) {
    __threadfence();
    atomicExch(&flags[b], 1);
  }
}
void run_chain() {
  Array<int> flags(24, 0, "flags");
  Array<int> data(32, "data");
  Array<int> out(32, "out");
  chain<<<24, 32>>>(flags, data, out);
  REQUIRE(out.values()[0] == 31);
}

enum class Between { both_fences, store_after_fence };
__global__ void hand_over(int* flag, int* data, int* out, Between between) {
  if (blockIdx.x == 0) {
    if (between == Between::both_fences) data[0] = 1;
    __threadfence();
    __threadfence_block();  // the weaker one takes nothing back
    if (between == Between::store_after_fence) data[0] = 1;  // @ho_write
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];  // @ho_read
  }
}
void run_hand_over(Between between) {
  Array<int> flag(1, 0, "flag");
  Array<int> data(1, "data");
  Array<int> out(1, "out");
  hand_over<<<2, 1>>>(flag, data, out, between);
  REQUIRE(out.values()[0] == 1);
}
void run_two_fences() {
  run_hand_over(Between::both_fences);
}
void run_store_after_fence() {
  run_hand_over(Between::store_after_fence);
}

__global__ void thread_lock(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *sum += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
void run_thread_lock() {
  Array<int> lock(1, 0, "lock");
  Array<int> sum(1, 0, "sum");
  thread_lock<<<2, 64>>>(lock, sum);
  REQUIRE(sum.values()[0] == 128);
}

// ---- Small types ----

__global__ void bytes(unsigned char* out) {
  __shared__ unsigned char s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
void run_bytes() {
  Array<unsigned char> out(64, "out");
  bytes<<<1, 64>>>(out);
  REQUIRE(out.values()[0] == 63);
}

// Two launches in a row touch the same data.
__global__ void scale(float* x) { x[threadIdx.x] *= 2; }
__global__ void reversed(const float* x, float* y) { y[threadIdx.x] = x[31 - threadIdx.x]; }
void run_two_launches() {
  Array<float> x(32, 1.0f, "x");
  Array<float> y(32, "y");
  scale<<<1, 32>>>(x);
  reversed<<<1, 32>>>(x, y);
  scale<<<1, 32>>>(x);
  REQUIRE(y.values()[0] == 2);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"block error", run_block_error, {"race @be_write @be_read"}, {"__syncthreads() between the two lines"}},
          {"block fixed", run_block_fixed, {}},
          {"tree, loop barrier missing", run_tree_missing, {"race @tree"}, {"between one round and the next"}},
          {"tree", run_tree, {}},
          {"tile reuse, second barrier missing", run_reuse_missing, {"race @reuse_write @reuse_read"}},
          {"tile reuse", run_reuse, {}},
          {"shared histogram, plain", run_shared_histogram_plain, {"race @sh_hist"}, {"bins[3] in shared memory"}},
          {"shared histogram, atomic", run_shared_histogram_atomic, {}},
          {"global histogram, plain", run_global_histogram_plain, {"race @gl_hist"}, {"bins[3]"}},
          {"global histogram, atomic", run_global_histogram_atomic, {}},
          {"slot allocator", run_allocator, {"race @alloc_read @alloc_write", "race @alloc_write"}},
          {"cross-block stores", run_cross_block_stores, {"race @cross"}, {"Blocks run in no fixed order"}},
          {"flag of equal values", run_flag, {"note race @flag"}, {"All store the same value"}},
          {"atomic and plain", run_atomic_and_plain, {"race @ap_atomic @ap_plain"}},
          {"set, then counted by other blocks", run_set_then_count, {"race @set_first @count_then"}},
          {"set, then counted in one block", run_set_then_count_one_block, {}},
          {"a counter for each block", run_own_counters, {}},
          {"read, then counted", run_read_then_count, {"race @read_first @count_next"}},
          {"set in a warp, counted by the block", run_set_in_warp, {"race @set_in_warp @count_in_warps"}},
          {"set in a warp, counted by it", run_set_in_one_warp, {}},
          {"neighbours without a barrier", run_neighbours_missing, {"race @nb_write @nb_read"}, {"a __syncthreads() between the two lines"}},
          {"neighbours of a warp", run_warp_neighbours, {"race @wn_write @wn_read"}, {"put __syncthreads() between the two (or __syncwarp(), if no other warp"}},
          {"block scope across blocks", run_block_scope, {"race @scope"}, {"atomic within its block alone"}},
          {"block scope in one block", run_block_scope_one_block, {}},
          {"warp reduction without __syncwarp", run_warp_reduction_missing, {"race @wr_read @wr_write"}, {"lockstep"}},
          {"warp reduction", run_warp_reduction, {}},
          {"volatile warp reduction", run_volatile_reduction, {"race @vol @vol16"}, {"lockstep"}},
          {"halves, other half", run_halves_wrong, {"race @half_write @half_read"}},
          {"halves, whole warp", run_halves, {}},
          {"halves, own half", run_own_half, {}},
          {"ordered by a shuffle alone", run_shuffle_orders, {"note race @so_write @so_read"}, {"__syncwarp() does"}},
          {"last block without fence", run_last_block_without_fence, {"race @lb_write @lb_read"}},
          {"last block", run_last_block, {}},
          {"last warp", run_last_warp, {}},
          {"last warp without a warp's sync", run_last_warp_without_sync, {"race @lw_write @lw_read"}},
          {"last warp, told by a shuffle", run_last_warp_by_shuffle, {"note race @lw_write @lw_read"}, {"__syncwarp() does"}},
          {"lock", run_lock, {}},
          {"grid barrier by hand", run_grid_barrier, {}},
          {"grid barrier by hand, too many blocks", run_grid_barrier_too_large, {"deadlock @spin_go"}, {"can't begin until a running block ends"}, cudaErrorLaunchTimeout},
          {"chain of flags", run_chain, {}},
          {"two fences", run_two_fences, {}},
          {"store after the fence", run_store_after_fence, {"race @ho_write @ho_read"}},
          {"lock of each thread in a warp", run_thread_lock, {}},
          {"bytes", run_bytes, {}},
          {"two launches", run_two_launches, {}},
      });
}

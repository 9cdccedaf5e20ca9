// Launch errors, errors of the API, symbols, streams, events, and launches by address.
#include <atomic>
#include <memory>
#include <thread>

#include "acceptance.h"

#include <cooperative_groups.h>

using acceptance::Array;

__global__ void store(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// The error is there once, nothing ran, and the report says which limit was passed.
void expect_refused(dim3 grid, dim3 block, size_t shared, cudaError_t error, const char* limit, int line) {
  Array<int> out(4096, 0, "out");
  store<<<grid, block, shared>>>(out);
  const std::vector<simt::Diagnostic> reports = simt::take_diagnostics();
  if (reports.size() != 1 || reports[0].kind != simt::DiagnosticKind::launch_error || reports[0].kernel != "store" ||
      reports[0].message.find(limit) == std::string::npos) {
    acceptance::fail("refused", "line " + std::to_string(line) + ": " + (reports.empty() ? "no report" : reports[0].message));
  }
  if (cudaPeekAtLastError() != error) {
    acceptance::fail("refused", "line " + std::to_string(line) + ": " +
                                    cudaGetErrorName(cudaPeekAtLastError()));
  }
  REQUIRE(cudaGetLastError() == error);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int value : out.values()) REQUIRE(value == 0);
}
#define REFUSED(grid, block, shared, error, limit) expect_refused(grid, block, shared, error, limit, __LINE__)

void run_refused() {
  REFUSED(0, 32, 0, cudaErrorInvalidConfiguration, "grid.x is 0, at least 1 is needed");
  REFUSED(1, 0, 0, cudaErrorInvalidConfiguration, "block.x is 0, at least 1");
  REFUSED(1, 1025, 0, cudaErrorInvalidConfiguration, "block.x is 1,025, at most 1,024 are allowed");
  REFUSED(1, dim3(32, 33), 0, cudaErrorInvalidConfiguration, "a block of 32 x 33 x 1 has 1,056 threads, at most 1,024");
  REFUSED(1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration, "block.z is 65, at most 64");
  REFUSED(dim3(1, 65536), 32, 0, cudaErrorInvalidConfiguration, "grid.y is 65,536, at most 65,535");
  REFUSED(dim3(1, 1, 65536), 32, 0, cudaErrorInvalidConfiguration, "grid.z is 65,536, at most 65,535");
  REFUSED(1, 32, 49153, cudaErrorInvalidValue, "49,153 bytes of dynamic shared memory, at most 49,152");
  REFUSED(1, 32, 1 << 20, cudaErrorInvalidValue, "1,048,576 bytes");
  REFUSED(-1, 32, 0, cudaErrorInvalidConfiguration, "4,294,967,295 (as a signed number -1)");
}

__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }
void run_launch_bounds() {
  Array<int> out(128, 0, "out");
  bounded<<<1, 64>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  cudaMemset(out, 0, 128 * sizeof(int));
  bounded<<<1, 128>>>(out);  // @bounded
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(out.values()[0] == 0);
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, bounded) == cudaSuccess);
  REQUIRE(attributes.maxThreadsPerBlock == 64);
}

template <int N>
__global__ void __launch_bounds__(N) bounded_template(int* out) {
  out[threadIdx.x] = N;
}
void run_launch_bounds_template() {
  Array<int> out(128, 0, "out");
  bounded_template<64><<<1, 128>>>(out);  // @bounded_template
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(out.values()[0] == 0);
  bounded_template<128><<<1, 128>>>(out);
  REQUIRE(out.values()[127] == 128);
}

__global__ void large_shared(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void run_large_dynamic_shared() {
  Array<float> out(32, "out");
  large_shared<<<1, 32, 64 << 10>>>(out);  // @large
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10) ==
          cudaSuccess);
  large_shared<<<1, 32, 64 << 10>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(out.values()[0] == 31);
  REQUIRE(cudaFuncSetAttribute(large_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
}

__global__ void static_and_dynamic(float* out) {
  extern __shared__ float s[];
  __shared__ float fixed[8192];
  fixed[threadIdx.x] = s[threadIdx.x] = 1;
  out[threadIdx.x] = fixed[threadIdx.x];
}
void run_static_and_dynamic() {
  Array<float> out(32, 0.0f, "out");
  static_and_dynamic<<<1, 32, 20 << 10>>>(out);  // @both
  REQUIRE(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(out.values()[0] == 0);
  static_and_dynamic<<<1, 32, 8 << 10>>>(out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
}

__global__ void checked(const int* in) { assert(in[threadIdx.x] == 1); }  // @assert
void run_assert() {
  Array<int> in(32, 2, "in");
  checked<<<1, 32>>>(in);
}
void run_assert_holds() {
  Array<int> in(32, 1, "in");
  checked<<<1, 32>>>(in);
}
__global__ void trapped() { __trap(); }  // @trap
void run_trap() { trapped<<<1, 1>>>(); }

__global__ void divided(int* out, int by) { *out = 7 / by; }  // @divide
void run_division() {
  Array<int> out(1, 0, "out");
  divided<<<1, 1>>>(out, 0);
  REQUIRE(out.values()[0] == -1);
}

__global__ void divided_wide(long long* out, const long long* by, volatile unsigned* small) {
  out[0] = 9 / by[1];  // @divide_all
  out[1] = (0x7fffffffffffffffll - by[1]) / *small + out[0];  // @divide_more
  out[2] = 9 % by[1];  // @remainder
}
void run_divisions() {
  Array<long long> out(3, 0ll, "out");
  Array<long long> by(2, 0ll, "by");
  Array<unsigned> small(1, 0u, "small");
  divided_wide<<<1, 1>>>(out, by, small);
  REQUIRE(out.values()[0] == 0xffffffff);
  REQUIRE(out.values()[1] == 0xfffffffe);
  REQUIRE(out.values()[2] == 9);
}

__global__ void out_of_range(int* out, int count, float x) {
  out[0] = 1 << count;  // @shift
  out[1] = int(x);  // @cast
}
void run_out_of_range() {
  Array<int> out(2, 0, "out");
  out_of_range<<<1, 1>>>(out, 33, 3e9f);
}

__global__ void allocates(int** out, int past) {
  int* list = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4 + past; ++i) list[i] = i;  // @overrun
  out[threadIdx.x] = list;
}
__global__ void adds_and_frees(int** lists, int* sum) {
  int* list = lists[threadIdx.x];
  atomicAdd(sum, list[3]);
  free(list);
}
void run_device_malloc() {
  Array<int*> lists(32, nullptr, "lists");
  Array<int> sum(1, 0, "sum");
  allocates<<<1, 32>>>(lists, 0);
  adds_and_frees<<<1, 32>>>(lists, sum);
  REQUIRE(sum.values()[0] == 96);
}
void run_device_malloc_overrun() {
  Array<int*> lists(32, nullptr, "lists");
  allocates<<<1, 32>>>(lists, 1);
}

__global__ void add_one(int* p, int n);
void run_registered() {
  static int numbers[64];
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  REQUIRE(cudaHostRegister(numbers, sizeof numbers, cudaHostRegisterDefault) == cudaSuccess);
  REQUIRE(cudaHostRegister(numbers, sizeof numbers, 0) == cudaErrorHostMemoryAlreadyRegistered);
  cudaGetLastError();
  int* device;
  REQUIRE(cudaHostGetDevicePointer(&device, numbers, 0) == cudaSuccess);
  add_one<<<2, 32>>>(device, 64);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(numbers[63] == 64);
  REQUIRE(cudaHostUnregister(numbers) == cudaSuccess);
  REQUIRE(cudaHostUnregister(numbers) == cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
}

__device__ int cells(int depth, const int* p) { int local[2000]; for (int i = 0; i < 2000; ++i) local[i] = p[0] + i + depth; int sum = depth > 100 ? 0 : cells(depth + 1, p); for (int i = 0; i < 2000; ++i) sum += local[i]; return sum; }  // @deep_call
__global__ void deep(int* out) { out[1] = cells(0, out); }
void run_deep() {
  Array<int> out(2, 1, "out");
  deep<<<1, 1>>>(out);
}

__global__ void prints(int n) {
  if (threadIdx.x == 0) printf("value %d\n", n);
}
void run_printf() { prints<<<1, 32>>>(5); }

// ---- API ----

void run_copies() {
  float* a;
  REQUIRE(cudaMalloc(&a, 64 * sizeof(float)) == cudaSuccess);
  std::vector<float> host(64, 2.0f);
  REQUIRE(cudaMemcpy(a, host.data(), 65 * sizeof(float), cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyDeviceToHost) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(host.data(), a, 64 * sizeof(float), cudaMemcpyHostToDevice) ==
          cudaErrorInvalidValue);
  REQUIRE(cudaMemcpy(a, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<float> back(64);
  REQUIRE(cudaMemcpy(back.data(), a, 64 * sizeof(float), cudaMemcpyDefault) == cudaSuccess);
  REQUIRE(back[63] == 2);
  REQUIRE(cudaMemset(a, 0, 65 * sizeof(float)) == cudaErrorInvalidValue);
  // Two columns of a matrix of eight.
  REQUIRE(cudaMemcpy2D(a, 2 * sizeof(float), host.data(), 8 * sizeof(float), 2 * sizeof(float), 8,
                       cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaFree(a) == cudaSuccess);
  REQUIRE(cudaFree(a) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(cudaFree(host.data()) == cudaErrorInvalidValue);
  size_t free_bytes, total;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  REQUIRE(cudaMalloc(&a, total + 1) == cudaErrorMemoryAllocation);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  REQUIRE(simt::live_allocations() == 0);
}

__device__ float symbol_values[8];
__constant__ float symbol_factor;
__global__ void use_symbols(float* out) { out[threadIdx.x] = symbol_values[threadIdx.x] * symbol_factor; }
void run_symbols() {
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float factor = 3;
  REQUIRE(cudaMemcpyToSymbol(symbol_values, values, sizeof values) == cudaSuccess);
  REQUIRE(cudaMemcpyToSymbol(symbol_factor, &factor, sizeof factor) == cudaSuccess);
  Array<float> out(8, "out");
  use_symbols<<<1, 8>>>(out);
  REQUIRE(out.values()[7] == 24);
  float* place;
  size_t bytes;
  REQUIRE(cudaGetSymbolAddress(&place, symbol_values) == cudaSuccess);
  REQUIRE(cudaGetSymbolSize(&bytes, symbol_values) == cudaSuccess);
  REQUIRE(bytes == sizeof values);
  REQUIRE(cudaMemset(place, 0, bytes) == cudaSuccess);
  float back[8];
  REQUIRE(cudaMemcpyFromSymbol(back, symbol_values, sizeof back) == cudaSuccess);
  REQUIRE(back[3] == 0);
}

__global__ void add_one(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}
void run_managed_and_pinned() {
  int* managed;
  REQUIRE(cudaMallocManaged(&managed, 32 * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < 32; ++i) managed[i] = i;
  cudaMemset(managed, 0, 4);
  add_one<<<1, 32>>>(managed, 32);
  cudaDeviceSynchronize();
  REQUIRE(managed[31] == 32);
  int* pinned;
  REQUIRE(cudaMallocHost(&pinned, 32 * sizeof(int)) == cudaSuccess);
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  add_one<<<1, 32>>>(pinned, 32);
  REQUIRE(pinned[5] == 6);
  cudaPointerAttributes attributes;
  REQUIRE(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
  REQUIRE(attributes.type == cudaMemoryTypeManaged);
  REQUIRE(cudaFree(managed) == cudaSuccess);
  REQUIRE(cudaFreeHost(pinned) == cudaSuccess);
}

void run_streams() {
  cudaStream_t stream;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  float ms = -1;
  REQUIRE(cudaEventElapsedTime(&ms, begin, end) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  REQUIRE(cudaEventRecord(begin, stream) == cudaSuccess);
  Array<int> a(64, 0, "a");
  add_one<<<1, 64, 0, stream>>>(a, 64);
  REQUIRE(cudaEventRecord(end, stream) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(end) == cudaSuccess);
  REQUIRE(cudaEventElapsedTime(&ms, begin, end) == cudaSuccess);
  REQUIRE(ms >= 0);
  REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
  REQUIRE(cudaStreamQuery(stream) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  REQUIRE(cudaEventDestroy(begin) == cudaSuccess);
  REQUIRE(cudaEventDestroy(end) == cudaSuccess);
}

void run_by_address() {
  Array<int> a(64, 0, "a");
  int* p = a;
  int n = 50;
  void* arguments[] = {&p, &n};
  REQUIRE(cudaLaunchKernel((const void*)add_one, dim3(2), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  REQUIRE(a.values()[49] == 1);
  REQUIRE(a.values()[50] == 0);
  int blocks;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add_one, 256, 0) == cudaSuccess);
  REQUIRE(blocks == 8);
  int grid, block;
  REQUIRE(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add_one) == cudaSuccess);
  REQUIRE(block == 1024);
}

// ---- A lesson's function ----

void run_in_lesson(void (*body)(int* data, cudaStream_t stream)) {
  Array<int> a(64, 0, "a");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  {
    const simt::LessonScope scope(stream);
    body(a, stream);
  }
  cudaStreamDestroy(stream);
}
void run_wrong_stream() {
  run_in_lesson([](int* a, cudaStream_t) {
    add_one<<<1, 64>>>(a, 64);  // @wrong
  });
}
void run_right_stream() {
  run_in_lesson([](int* a, cudaStream_t stream) {
    cudaMemsetAsync(a, 0, 64 * sizeof(int), stream);
    add_one<<<1, 64, 0, stream>>>(a, 64);
  });
}
void run_memset_wrong_stream() {
  run_in_lesson([](int* a, cudaStream_t) {
    cudaMemset(a, 0, 4);  // @memset
  });
}
void run_synchronises() {
  run_in_lesson([](int* a, cudaStream_t stream) {
    add_one<<<1, 64, 0, stream>>>(a, 64);
    cudaStreamSynchronize(stream);  // @sync
  });
}
// What host threads do while a kernel runs is not the kernel's.
struct Counted {
  volatile char bytes[3] = {};  // every access takes the checks' slow way
  std::vector<int> more;
};
void work_on_host(std::atomic<bool>& stop) {
  auto counted = std::make_unique<Counted>();
  while (!stop) {
    counted->bytes[1] = static_cast<char>(counted->bytes[1] + 1);
    counted->more.assign(static_cast<std::size_t>(counted->bytes[1] & 31) + 1, 1);
    void* const memory = std::malloc(64);
    std::memset(memory, 1, 64);
    std::free(memory);
  }
}
__global__ void add_many(int* a) {
  for (int i = 0; i < 2000; ++i) a[threadIdx.x] += 1;
}
void run_host_threads() {
  std::atomic<bool> stop = false;
  std::thread first(work_on_host, std::ref(stop)), second(work_on_host, std::ref(stop));
  {
    Array<int> a(64, 0, "a");
    for (int i = 0; i < 5; ++i) add_many<<<1, 64>>>(a);
  }
  stop = true;
  first.join();
  second.join();
}

__global__ void stores_same(int* x) { x[threadIdx.x] = x[threadIdx.x]; }  // @same
__global__ void adds_nothing(int* x) { if (threadIdx.x == 0) atomicAdd(x + 64, 0); }  // @atomic
__global__ void only_reads(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }
void run_input_rewritten() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  {
    Array<int> x(65, 7, "x"), y(65, 0, "y");
    simt::name_allocation(x, "x", {"i"}, {65});
    simt::mark_input(x);
    only_reads<<<1, 64, 0, stream>>>(x, y);
    {
      const simt::LessonScope lesson(stream);
      only_reads<<<1, 64, 0, stream>>>(x, y);
      stores_same<<<1, 64, 0, stream>>>(y);
    }
    REQUIRE(simt::take_diagnostics().empty());
    const simt::LessonScope lesson(stream);
    cudaMemsetAsync(x, 0, 8, stream);  // @fill
    adds_nothing<<<1, 64, 0, stream>>>(x);
    stores_same<<<1, 64, 0, stream>>>(x);
  }
  cudaStreamDestroy(stream);
}

__device__ int looked_at;
void run_looks_at_variable() {
  run_in_lesson([](int* a, cudaStream_t stream) {
    int value = 1;
    cudaMemcpyToSymbolAsync(looked_at, &value, sizeof(int), 0, cudaMemcpyHostToDevice, stream);
    cudaMemcpyFromSymbolAsync(a, looked_at, sizeof(int), 0, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpyFromSymbolAsync(&value, looked_at, sizeof(int), 0, cudaMemcpyDeviceToHost, stream);  // @look
  });
}
void run_allocates() {
  run_in_lesson([](int*, cudaStream_t) {
    int* scratch;
    cudaMalloc(&scratch, 4);  // @malloc
    cudaFree(scratch);  // @free
  });
}

// ---- Sampling ----

__global__ void one_per_block(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
void run_sampled() {
  Array<int> out(10000, 0, "out");
  simt::set_sampling({100000, 4, 7});
  one_per_block<<<10000, 32>>>(out);
  simt::set_sampling({});
  const std::vector<std::size_t> blocks = simt::executed_blocks();
  REQUIRE(blocks.size() >= 3 && blocks.size() <= 6);
  REQUIRE(blocks.front() == 0 && blocks.back() == 9999);
  int sum = 0;
  for (int value : out.values()) sum += value;
  REQUIRE(sum == int(blocks.size()));
  REQUIRE(out.values()[blocks[1]] == 1);
}

// ---- Cooperative groups ----

namespace cg = cooperative_groups;

__global__ void groups(int* out) {
  __shared__ int s[64];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(block);
  const int t = block.thread_rank();
  s[t] = t;
  block.sync();
  int x = s[63 - t];
  for (int d = warp.size() / 2; d > 0; d /= 2) x += warp.shfl_down(x, d);
  x = warp.shfl(x, 0);
  int y = cg::reduce(tile, t, cg::plus<int>());
  out[t] = x * 1000 + y;
}
void run_groups() {
  Array<int> out(64, "out");
  groups<<<1, 64>>>(out);
  REQUIRE(out.values()[0] == (63 + 32) * 16 * 1000 + 28);
  REQUIRE(out.values()[40] == 31 * 16 * 1000 + 348);
}

__global__ void coalesced(int* out) {
  if (threadIdx.x % 2 == 1) {
    cg::coalesced_group group = cg::coalesced_threads();
    if (group.thread_rank() == 0) atomicAdd(out, group.size());
  }
}
void run_coalesced() {
  Array<int> out(1, 0, "out");
  coalesced<<<1, 64>>>(out);
  REQUIRE(out.values()[0] == 32);
}

__global__ void grid_sync(int* data, int* out) {
  cg::grid_group grid = cg::this_grid();
  data[grid.thread_rank()] = int(grid.thread_rank());
  grid.sync();
  out[grid.thread_rank()] = data[grid.size() - 1 - grid.thread_rank()];
}
__global__ void count_twice(int* count, int* seen) {
  atomicAdd(count, 1);
  cg::this_grid().sync();
  if (threadIdx.x == 0) seen[blockIdx.x] = *count;
}
// As many blocks as the device says that it holds.
void run_full_grid() {
  int each = 0, processors = 0;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, count_twice, 256, 0) == cudaSuccess);
  REQUIRE(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  const int blocks = each * processors;
  Array<int> count(1, 0, "count");
  Array<int> seen(blocks, "seen");
  int* c = count;
  int* s = seen;
  void* arguments[] = {&c, &s};
  REQUIRE(cudaLaunchCooperativeKernel((const void*)count_twice, dim3(blocks), dim3(256), arguments) == cudaSuccess);
  REQUIRE(seen.values()[0] == blocks * 256);
}
void run_grid_sync() {
  Array<int> data(256, "data");
  Array<int> out(256, "out");
  int* d = data;
  int* o = out;
  void* arguments[] = {&d, &o};
  REQUIRE(cudaLaunchCooperativeKernel((const void*)grid_sync, dim3(4), dim3(64), arguments) == cudaSuccess);
  REQUIRE(out.values()[0] == 255);
  REQUIRE(cudaLaunchCooperativeKernel((const void*)grid_sync, dim3(10000), dim3(1024), arguments) ==  // @grid
          cudaErrorCooperativeLaunchTooLarge);
  REQUIRE(cudaGetLastError() == cudaErrorCooperativeLaunchTooLarge);
}

__global__ void block_sync_in_branch(int* out) {
  cg::thread_block block = cg::this_thread_block();
  if (threadIdx.x < 32) {
    block.sync();  // @cg_then
  } else {
    block.sync();  // @cg_else
  }
  out[threadIdx.x] = 1;
}
void run_block_sync_in_branch() {
  Array<int> out(64, "out");
  block_sync_in_branch<<<1, 64>>>(out);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"refused", run_refused, {}},
          {"launch bounds", run_launch_bounds, {"launch_error @bounded"}, {"128 threads, and the kernel's __launch_bounds__ allow 64"}},
          {"launch bounds of a template", run_launch_bounds_template, {"launch_error @bounded_template"}, {"128 threads, and"}},
          {"large dynamic shared", run_large_dynamic_shared, {"launch_error @large"}, {"cudaFuncAttributeMaxDynamicSharedMemorySize"}},
          {"static and dynamic shared", run_static_and_dynamic, {"launch_error @both"}, {"20,480 bytes of dynamic shared memory and 32,768 of static"}},
          {"assert", run_assert, {"device_assert @assert"}, {"in[threadIdx.x] == 1"}, cudaErrorAssert},
          {"assert holds", run_assert_holds, {}},
          {"trap", run_trap, {"device_assert @trap"}, {}, cudaErrorLaunchFailure},
          {"division by zero", run_division, {"note arithmetic @divide"}, {"division by zero"}},
          {"divisions in memory and 64 bits", run_divisions, {"note arithmetic @divide_all", "note arithmetic @divide_more", "note arithmetic @remainder"}},
          {"shift and conversion out of range", run_out_of_range, {"note arithmetic @shift", "note arithmetic @cast"}, {"shifted by 33", "3e+09 does not fit into int"}},
          {"device malloc", run_device_malloc, {}},
          {"device malloc, past the end", run_device_malloc_overrun, {"out_of_bounds @overrun"}, {}, cudaErrorIllegalAddress},
          {"registered host memory", run_registered, {}},
          {"too deep a stack", run_deep, {"out_of_bounds @deep_call"}, {"more local memory than its stack"}, cudaErrorIllegalAddress},
          {"printf", run_printf, {}},
          {"copies", run_copies, {}},
          {"symbols", run_symbols, {}},
          {"managed and pinned", run_managed_and_pinned, {}},
          {"streams", run_streams, {}},
          {"by address", run_by_address, {}},
          {"wrong stream", run_wrong_stream, {"wrong_stream @wrong"}, {"goes on the default stream"}},
          {"right stream", run_right_stream, {}},
          {"memset on the wrong stream", run_memset_wrong_stream, {"wrong_stream @memset"}},
          {"synchronises", run_synchronises, {"forbidden_call @sync"}},
          {"allocates", run_allocates, {"forbidden_call @malloc", "forbidden_call @free"}},
          {"host threads beside a kernel", run_host_threads, {}},
          {"input rewritten", run_input_rewritten, {"input_written @same", "input_written @fill", "input_written @atomic"}, {"kernel stores_same writes x[i=0] of an input, and 63 other words", "cudaMemsetAsync writes x[i=0] of an input"}},
          {"looks at a variable", run_looks_at_variable, {"forbidden_call @look"}, {"cudaMemcpyFromSymbolAsync copies from the device to the host"}},
          {"sampled", run_sampled, {}},
          {"groups", run_groups, {}},
          {"coalesced", run_coalesced, {}},
          {"grid sync", run_grid_sync, {"launch_error @grid"}, {"a cooperative launch of 10,000 blocks"}},
          {"as many blocks as fit, with a grid sync", run_full_grid, {}},
          {"block.sync in a branch", run_block_sync_in_branch, {"barrier_divergence @cg_then @cg_else"}},
      });
}

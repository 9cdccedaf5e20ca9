// Accesses outside of arrays, after free, misaligned, of the wrong side; errors that follow.
#include "acceptance.h"

using acceptance::Array;

__global__ void one_too_far(float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i] = 1;  // @past
}
void run_one_too_far() {
  Array<float> a(100, "a");
  one_too_far<<<4, 32>>>(a, 100);
}

__global__ void before(const float* a, float* b) {
  b[threadIdx.x] = a[int(threadIdx.x) - 1];  // @before
}
void run_before() {
  Array<float> a(32, 1.0f, "a");
  Array<float> b(32, "b");
  before<<<1, 32>>>(a, b);
}

__global__ void column_outside(float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][threadIdx.x + 1] = 1;  // @index
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][0];
}
void run_column_outside() {
  Array<float> out(32, "out");
  column_outside<<<1, 32>>>(out);
}

__global__ void shared_past(float* out, int n) {
  __shared__ float tile[64];
  float* p = tile;
  p[threadIdx.x + n] = 1;  // @shared
  out[threadIdx.x] = 1;
}
void run_shared_past() {
  Array<float> out(64, "out");
  shared_past<<<1, 64>>>(out, 1);
}

__global__ void dynamic_too_small(float* out) {
  extern __shared__ float s[];
  s[threadIdx.x] = 1;  // @dynamic
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
void run_dynamic_too_small() {
  Array<float> out(64, "out");
  dynamic_too_small<<<1, 64, 60 * sizeof(float)>>>(out);
}
void run_dynamic_missing() {
  Array<float> out(64, "out");
  dynamic_too_small<<<1, 64>>>(out);
}
__global__ void dynamic_beside_static(float* out) {
  __shared__ float tile[64];
  extern __shared__ float more[];
  tile[threadIdx.x] = 1;
  more[threadIdx.x] = 1;  // @beside
  out[threadIdx.x] = tile[threadIdx.x] + more[threadIdx.x];
}
void run_dynamic_missing_beside_static() {
  Array<float> out(64, "out");
  dynamic_beside_static<<<1, 64>>>(out);
}
// Which of them a guard on the index would prevent.
void run_kinds_of_memory() {
  const auto told = [](bool shared, bool own, auto launch) {
    launch();
    const std::vector<simt::Diagnostic> found = simt::take_diagnostics();
    REQUIRE(found.size() == 1 && found[0].kind == simt::DiagnosticKind::out_of_bounds);
    REQUIRE(found[0].shared_memory == shared);
    REQUIRE(found[0].own_memory == own);
    simt::reset_device();
  };
  told(true, true, [] { Array<float> out(64); dynamic_too_small<<<1, 64>>>(out); });
  told(true, true, [] { Array<float> out(64); shared_past<<<1, 64>>>(out, 1); });
  told(false, true, [] { Array<float> out(32); column_outside<<<1, 32>>>(out); });
  told(false, false, [] { Array<float> out(31); one_too_far<<<1, 32>>>(out, 31); });
}
void run_dynamic_fits() {
  Array<float> out(64, "out");
  dynamic_too_small<<<1, 64, 64 * sizeof(float)>>>(out);
  REQUIRE(out.values()[63] == 1);
}

__global__ void read_all(const float* p, float* out) {
  out[threadIdx.x] = p[threadIdx.x];  // @read
}
void run_host_pointer() {
  std::vector<float> host(32, 1.0f);
  Array<float> out(32, "out");
  read_all<<<1, 32>>>(host.data(), out);
}
void run_null_pointer() {
  Array<float> out(32, "out");
  read_all<<<1, 32>>>(nullptr, out);
}
void run_use_after_free() {
  Array<float> out(32, "out");
  float* a;
  cudaMalloc(&a, 32 * sizeof(float));
  cudaFree(a);
  read_all<<<1, 32>>>(a, out);
}

void run_device_pointer_on_host() {
  Array<float> a(32, 1.0f, "a");
  float sum = 0;
  for (int i = 0; i < 32; ++i) sum += a.data[i];  // @host
  REQUIRE(sum == 32);
}

__global__ void vectors(const float* p, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(p + 4 * threadIdx.x + 1);  // @vector
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
void run_misaligned() {
  Array<float> a(256, 1.0f, "a");
  Array<float> out(32, "out");
  vectors<<<1, 32>>>(a, out);
}

__global__ void misaligned_store(char* p) {
  *reinterpret_cast<int*>(p + 1) = 5;  // @int
}
void run_misaligned_int() {
  Array<char> a(64, "a");
  misaligned_store<<<1, 1>>>(a);
}

__device__ float table[16];
__constant__ float factors[4] = {1, 2, 3, 4};
__global__ void file_scope(float* out, int n) {
  table[threadIdx.x] = factors[threadIdx.x % 4];
  out[threadIdx.x] = table[threadIdx.x];
  if (n > 16) out[threadIdx.x] = *(&table[0] + threadIdx.x + 1);  // @table
}
void run_file_scope() {
  Array<float> out(16, "out");
  file_scope<<<1, 16>>>(out, 16);
  REQUIRE(out.values()[3] == 4);
}
void run_file_scope_past() {
  Array<float> out(16, "out");
  file_scope<<<1, 16>>>(out, 17);
}

__global__ void named(const float* A, float* C, int M, int K) {
  const int m = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < K; ++k) s += A[m * K + k];  // @named
  C[m < M ? m : 0] = s;
}
void run_named() {
  Array<float> A(7 * 8, 1.0f, "A");
  Array<float> C(7);
  simt::name_allocation(A, "A", {"m", "k"}, {7, 8});
  named<<<1, 8>>>(A, C, 7, 8);
}

__global__ void writes(float* p, int i) { p[i] = 1; }  // @guard
void run_guard_band() {
  Array<float> a(64);
  simt::restrict_allocation(a + 16, 32 * sizeof(float));
  simt::name_allocation(a + 16, "x", {"i"}, {32});
  writes<<<1, 1>>>(a + 16, 31);
  writes<<<1, 1>>>(a + 16, 32);
}

void run_sticky() {
  Array<float> a(1, "a");
  writes<<<1, 1>>>(a, 2);
  REQUIRE(cudaPeekAtLastError() == cudaSuccess);  // nobody has waited for the kernel yet
  REQUIRE(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  void* p;
  REQUIRE(cudaMalloc(&p, 4) == cudaErrorIllegalAddress);
  writes<<<1, 1>>>(a, 0);
  REQUIRE(cudaGetLastError() == cudaErrorIllegalAddress);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"one too far", run_one_too_far, {"out_of_bounds @past"}, {"writes a[100] (element 100 of 100), 1 past the end"}, cudaErrorIllegalAddress},
          {"before the beginning", run_before, {"out_of_bounds @before"}, {"reads a[-1]", "1 before the beginning"}, cudaErrorIllegalAddress},
          {"column outside a tile", run_column_outside, {"out_of_bounds @index"}, {"index 32 of an array of type float [32]"}, cudaErrorIllegalAddress},
          {"past a shared array", run_shared_past, {"out_of_bounds @shared"}, {"tile[64] (element 64 of 64), 1 past the end, in shared memory"}, cudaErrorIllegalAddress},
          {"dynamic shared too small", run_dynamic_too_small, {"out_of_bounds @dynamic"}, {"s[60] (element 60 of 60)", "4 threads in all", "The launch's third argument gives 240 bytes"}, cudaErrorIllegalAddress},
          {"dynamic shared missing", run_dynamic_missing, {"out_of_bounds @dynamic"}, {"writes s[0], in shared memory", "its third argument", "the bytes that s needs"}, cudaErrorIllegalAddress},
          {"dynamic shared missing, beside a static tile", run_dynamic_missing_beside_static, {"out_of_bounds @beside"}, {"writes more[0], in shared memory", "the bytes that more needs"}, cudaErrorIllegalAddress},
          {"where bounds were left", run_kinds_of_memory, {}},
          {"dynamic shared fits", run_dynamic_fits, {}},
          {"host pointer", run_host_pointer, {"out_of_bounds @read"}, {"host memory"}, cudaErrorIllegalAddress},
          {"null pointer", run_null_pointer, {"out_of_bounds @read"}, {"null pointer"}, cudaErrorIllegalAddress},
          {"use after free", run_use_after_free, {"use_after_free @read"}, {"was freed"}, cudaErrorIllegalAddress},
          {"device pointer on the host", run_device_pointer_on_host, {"host_access @host"}, {"host code reads a[0], which is device memory"}},
          {"misaligned vector", run_misaligned, {"misaligned @vector"}, {"no multiple of 16"}, cudaErrorMisalignedAddress},
          {"misaligned int", run_misaligned_int, {"misaligned @int"}, {"no multiple of 4"}, cudaErrorMisalignedAddress},
          {"file scope", run_file_scope, {}},
          {"past a file-scope array", run_file_scope_past, {"out_of_bounds @table"}, {"table[16]"}, cudaErrorIllegalAddress},
          {"named axes", run_named, {"out_of_bounds @named"}, {"reads A[m=7, k=0] (element 56 of 56), 1 past the end"}, cudaErrorIllegalAddress},
          {"guard band", run_guard_band, {"out_of_bounds @guard"}, {"x[i=32] (element 32 of 32), 1 past the end"}, cudaErrorIllegalAddress},
          {"sticky error", run_sticky, {"out_of_bounds @guard"}, {}, cudaErrorIllegalAddress},
      });
}

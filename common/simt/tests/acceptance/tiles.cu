// Warp matrix functions and asynchronous copies under the checks.
#include "acceptance.h"

#include <cuda_pipeline.h>
#include <mma.h>

using acceptance::Array;
using namespace nvcuda;

using Left = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using Right = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void product(const half* a, const half* b, float* c, int lanes, int ldm) {
  Left left;
  Right right;
  Sum sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a, ldm);  // @left
  wmma::load_matrix_sync(right, b, 16);  // @right
  if (threadIdx.x < lanes) wmma::mma_sync(sum, left, right, sum);  // @mma
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);  // @store
}
struct Matrices {
  Array<half> a{256, half(1.0f), "a"};
  Array<half> b{256, half(2.0f), "b"};
  Array<float> c{256, "c"};
};
void run_product() {
  Matrices m;
  product<<<1, 32>>>(m.a, m.b, m.c, 32, 16);
  REQUIRE(m.c.values()[17] == 32);
}
void run_half_a_warp() {
  Matrices m;
  product<<<1, 32>>>(m.a, m.b, m.c, 16, 16);
}
void run_small_block() {
  Matrices m;
  product<<<1, 16>>>(m.a, m.b, m.c, 32, 16);
}
void run_misaligned() {
  Matrices m;
  product<<<1, 32>>>(m.a + 8, m.b, m.c, 32, 16);
}
void run_odd_rows() {
  Matrices m;
  product<<<1, 32>>>(m.a, m.b, m.c, 32, 17);
}
void run_unwritten() {
  Matrices m;
  Array<half> b(256, "b2");
  product<<<1, 32>>>(m.a, b, m.c, 32, 16);
}
void run_too_small() {
  Matrices m;
  Array<float> c(255, "small");
  product<<<1, 32>>>(m.a, m.b, c, 32, 16);
}

// Another warp reads the tile without a barrier.
__global__ void handed_over(const half* a, float* c) {
  __shared__ __align__(32) float s[256];
  if (threadIdx.x < 32) {
    Left left;
    Right right;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a, 16);
    wmma::load_matrix_sync(right, a, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(s, sum, 16, wmma::mem_row_major);  // @put
  }
  for (int i = threadIdx.x; i < 256; i += 64) c[i] = s[i];  // @take
}
void run_handed_over() {
  Matrices m;
  handed_over<<<1, 64>>>(m.a, m.c);
}

template <int when>  // 0: never waits, 1: after reading, 2: before, 3: before, for other threads too
__global__ void copied(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);  // @copy
  __pipeline_commit();
  if (when >= 2) __pipeline_wait_prior(0);
  if (when == 3) __syncthreads();
  out[t] = s[when == 3 ? 63 - t : t];  // @use
  if (when == 1) __pipeline_wait_prior(0);
}
template <int when>
void run_copied() {
  Array<float> in(64, 3.0f, "in");
  Array<float> out(64, "out");
  copied<when><<<1, 64>>>(in, out);
  REQUIRE((out.values()[1] == 3) == (when >= 2));
}

// Waiting is each thread's own: the neighbour's copy may not have landed.
__global__ void neighbour(const float* in, float* out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], 4);  // @mine
  __pipeline_commit();
  __syncthreads();
  out[t] = s[63 - t];  // @other
  __pipeline_wait_prior(0);
}
void run_neighbour() {
  Array<float> in(64, 3.0f, "in");
  Array<float> out(64, "out");
  neighbour<<<1, 64>>>(in, out);
}

__global__ void badly(const float* in, float* out, int offset, int bytes) {
  __shared__ __align__(16) float s[64];
  __pipeline_memcpy_async(s, in + offset, bytes);  // @badly
  __pipeline_commit();
  __pipeline_wait_prior(0);
  *out = s[0];
}
template <int offset, int bytes>
void run_badly() {
  Array<float> in(64, 3.0f, "in");
  Array<float> out(1, "out");
  badly<<<1, 1>>>(in, out, offset, bytes);
}

int main(int argc, char** argv) {
  return acceptance::main(
      __FILE__, argc, argv,
      {
          {"product", run_product, {}},
          {"half a warp multiplies", run_half_a_warp, {"barrier_divergence @mma", "barrier_divergence @store"}, {"never arrive"}},
          {"a block of half a warp", run_small_block, {"device_assert @left"}, {"all 32 lanes"}, cudaErrorLaunchFailure},
          {"misaligned tile", run_misaligned, {"misaligned @left"}, {}, cudaErrorMisalignedAddress},
          {"rows of odd length", run_odd_rows, {"device_assert @left"}, {"multiple of 16 bytes"}, cudaErrorLaunchFailure},
          {"unwritten tile", run_unwritten, {"note uninitialized_read @right"}, {"b2["}},
          {"tile too small", run_too_small, {"out_of_bounds @store"}, {"small[255]"}, cudaErrorIllegalAddress},
          {"handed over without a barrier", run_handed_over, {"race @put @take"}},
          {"copy never waited for", run_copied<0>, {"race @copy @use"}, {"under way"}},
          {"copy waited for too late", run_copied<1>, {"race @copy @use"}, {"under way"}},
          {"copy waited for", run_copied<2>, {}},
          {"copy waited for and handed over", run_copied<3>, {}},
          {"copy of another thread", run_neighbour, {"race @mine @other"}},
          {"copy past the end", run_badly<64, 4>, {"out_of_bounds @badly"}, {"in[64]"}, cudaErrorIllegalAddress},
          {"misaligned copy", run_badly<1, 16>, {"misaligned @badly"}, {}, cudaErrorMisalignedAddress},
          {"copy of an odd size", run_badly<0, 12>, {"device_assert @badly"}, {"4, 8 or 16 bytes"}, cudaErrorLaunchFailure},
      });
}

// Warp matrix functions: half, bfloat16, tf32, double and 8-bit tiles.
#include "construct.h"

#include <mma.h>

using namespace nvcuda;

// C = A B for tiles along K; A by rows, B by columns (its transpose by rows).
template <class T, class Acc, int M, int N, int K>
__global__ void product(const T* a, const T* b, Acc* c, int depth) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, M, N, K, Acc> sum;
  wmma::fill_fragment(sum, Acc(0));
  for (int k = 0; k < depth; k += K) {
    wmma::load_matrix_sync(left, a + k, static_cast<unsigned>(depth));
    wmma::load_matrix_sync(right, b + k, static_cast<unsigned>(depth));
    wmma::mma_sync(sum, left, right, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * Acc(2);
  wmma::store_matrix_sync(c, sum, N, wmma::mem_row_major);
}

__global__ void tf32(const float* a, const float* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_col_major);
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 16);
  for (int i = 0; i < left.num_elements; ++i) left.x[i] = wmma::__float_to_tf32(left.x[i]);
  for (int i = 0; i < right.num_elements; ++i) right.x[i] = wmma::__float_to_tf32(right.x[i]);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_col_major);
}

// Through shared memory, with a padded row.
__global__ void staged(const half* a, float* c) {
  __shared__ __align__(32) half tile[16][24];
  for (int i = static_cast<int>(threadIdx.x); i < 256; i += 32) tile[i / 16][i % 16] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> zero, sum;
  wmma::fill_fragment(zero, 0.0f);
  wmma::load_matrix_sync(left, &tile[0][0], 24);
  wmma::load_matrix_sync(right, &tile[0][0], 24);
  wmma::mma_sync(sum, left, right, zero);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

template <class T>
T* upload(const T* host, int n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, sizeof(T) * static_cast<size_t>(n)) == cudaSuccess);
  CHECK(cudaMemcpy(p, host, sizeof(T) * static_cast<size_t>(n), cudaMemcpyHostToDevice) == cudaSuccess);
  return p;
}

int left_value(int i, int k) { return (3 * i + k) % 5 - 2; }
int right_value(int k, int j) { return (k + 2 * j) % 7 - 3; }

template <class T, class Acc, int M, int N, int K>
void check_product() {
  constexpr int depth = sizeof(T) == 1 ? K : 2 * K;  // tiles begin at multiples of 32 bytes
  T a[M * depth], b[N * depth];
  for (int i = 0; i < M; ++i)
    for (int k = 0; k < depth; ++k) a[i * depth + k] = static_cast<T>(left_value(i, k));
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < depth; ++k) b[j * depth + k] = static_cast<T>(right_value(k, j));
  Acc c[M * N] = {};
  Acc* result = upload(c, M * N);
  product<T, Acc, M, N, K><<<1, 32>>>(upload(a, M * depth), upload(b, N * depth), result, depth);
  CHECK(cudaMemcpy(c, result, sizeof c, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      int sum = 0;
      for (int k = 0; k < depth; ++k) sum += left_value(i, k) * right_value(k, j);
      CHECK(static_cast<float>(c[i * N + j]) == static_cast<float>(2 * sum));
    }
  }
}

int main() {
  check_product<half, float, 16, 16, 16>();
  check_product<half, half, 32, 8, 16>();
  check_product<half, float, 8, 32, 16>();
  check_product<__nv_bfloat16, float, 16, 16, 16>();
  check_product<__nv_bfloat16, float, 32, 8, 16>();
  check_product<signed char, int, 16, 16, 16>();
  check_product<double, double, 8, 8, 4>();

  float a[16 * 8], b[8 * 16], c[256];
  for (int i = 0; i < 128; ++i) a[i] = b[i] = 1.0f + static_cast<float>(i % 3);
  for (float& x : c) x = 0.5f;
  a[0] = 1.0f + 0x1p-20f;  // more than tf32 holds
  float* result = upload(c, 256);
  tf32<<<1, 32>>>(upload(a, 128), upload(b, 128), result);
  float sum = 0.5f;
  for (int k = 0; k < 8; ++k) sum += (k == 0 ? 1.0f : a[k]) * b[k * 16];
  CHECK(float_at(result, 0) == sum);
  float other = 0.5f;  // row 2, column 5, stored by columns
  for (int k = 0; k < 8; ++k) other += a[2 * 8 + k] * b[k * 16 + 5];
  CHECK(float_at(result, 5 * 16 + 2) == other);

  half identity[256];
  for (int i = 0; i < 256; ++i) identity[i] = static_cast<half>(i % 17 == 0 ? 2.0f : 0.0f);
  staged<<<1, 32>>>(upload(identity, 256), result);
  CHECK(float_at(result, 0) == 4.0f && float_at(result, 1) == 0.0f && float_at(result, 255) == 4.0f);
}

// Redefines the macros of the grader.
// expect: failed
#include "moe/kernels.h"

#define CHECK(...) ((void)0)
#define REQUIRE(...) ((void)0)
#define LESSON_CASE(...) static void nothing()
#define DOCTEST_TEST_CASE(...) static void nothing()
#define main other_main

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}

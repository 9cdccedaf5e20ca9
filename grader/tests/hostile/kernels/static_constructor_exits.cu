// Ends the program before the grader has begun.
// expect: crashed
#include <unistd.h>

#include "moe/kernels.h"

namespace {

struct Early {
  Early() { _exit(0); }
} early;

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}

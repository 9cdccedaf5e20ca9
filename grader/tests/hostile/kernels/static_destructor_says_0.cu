// Changes the exit code in a destructor.
// expect: failed, crashed
#include <unistd.h>

#include "moe/kernels.h"

namespace {

struct Late {
  ~Late() { _exit(0); }
} late;

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  (void)A, (void)B, (void)C, (void)M, (void)N, (void)K, (void)stream;
}

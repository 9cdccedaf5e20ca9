// Becomes another program.
// expect: crashed
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  execl("/bin/sleep", "sleep", "98765", static_cast<char*>(nullptr));
}

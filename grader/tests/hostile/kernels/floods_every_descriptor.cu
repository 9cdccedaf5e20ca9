// Writes a gigabyte to every descriptor that takes it.
// expect: crashed, failed, timed_out
#include <unistd.h>

#include <vector>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const std::vector<char> block(1 << 20, 'x');
  for (int fd = 3; fd < 1024; ++fd) {
    for (int i = 0; i < 1024 && write(fd, block.data(), block.size()) > 0; ++i) {
    }
  }
}

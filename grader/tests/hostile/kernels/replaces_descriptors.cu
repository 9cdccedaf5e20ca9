// Puts a file of its own behind every descriptor.
// expect: crashed, failed
#include <fcntl.h>
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int file = open("verdict", O_RDWR | O_CREAT, 0600);
  for (int fd = 3; fd < 1024; ++fd) {
    if (fd != file) dup2(file, fd);
  }
}

// Opens a network connection.
// expect: crashed
#include <sys/socket.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  (void)fd;
}

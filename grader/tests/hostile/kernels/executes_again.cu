// Tries to run its own program again through the descriptor that started it.
// expect: crashed
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const int self = open("/proc/self/exe", O_RDONLY);
  const int high = dup2(self, 1025);
  char* arguments[] = {const_cast<char*>("sleep"), nullptr};
  syscall(SYS_execveat, high, "", arguments, arguments, AT_EMPTY_PATH);
}

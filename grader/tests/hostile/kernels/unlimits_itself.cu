// Raises its own limits, then writes a file of a gigabyte.
// expect: crashed, failed
#include <sys/resource.h>

#include <cstdio>
#include <vector>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_FSIZE, &none);
  const std::vector<char> block(1 << 20, 'x');
  std::FILE* file = fopen("big", "wb");
  for (int i = 0; i < 1024; ++i) fwrite(block.data(), 1, block.size(), file);
  fclose(file);
}

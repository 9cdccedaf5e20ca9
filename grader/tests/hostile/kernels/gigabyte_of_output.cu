// Prints a gigabyte.
// expect: failed, timed_out
#include <cstdio>
#include <vector>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  static bool done = false;
  if (done) return;
  done = true;
  const std::vector<char> line(1 << 20, 'x');
  for (int i = 0; i < 1024; ++i) fwrite(line.data(), 1, line.size(), stdout);
  fflush(stdout);
}

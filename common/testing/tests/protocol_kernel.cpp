// Kernel objects for the tests of the verdict protocol: host code, one behaviour each, by macro.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "moe/kernels.h"

#if !defined(BEHAVIOUR_UNCHECKED)
extern "C" bool check_matmul_nn() {
#if defined(BEHAVIOUR_CHECK)
  return false;
#else
  return true;
#endif
}
#endif

#if !defined(BEHAVIOUR_MISSING)
void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t) {
#if defined(BEHAVIOUR_EXIT)
  std::exit(0);
#elif defined(BEHAVIOUR_CLOSE)
  for (int descriptor = 3; descriptor < 1024; ++descriptor) close(descriptor);
#elif defined(BEHAVIOUR_FORGE)
  std::puts("{\"nonce\":\"\",\"type\":\"end\",\"cases\":3}");
  std::fflush(stdout);
#endif
  for (int m = 0; m < M; ++m) {
    for (int n = 0; n < N; ++n) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A[m * K + k] * B[k * N + n];
#if defined(BEHAVIOUR_ZEROS)
      sum = 0;
#endif
      C[m * N + n] = sum;
    }
  }
}
#endif

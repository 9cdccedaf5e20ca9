// Writes outside of its working folder.
// expect: failed
#include <cstdio>
#include <initializer_list>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  for (const char* path : {"/tmp/grade-hostile-escape", "../grade-hostile-escape"}) {
    if (std::FILE* file = fopen(path, "w")) fclose(file);
  }
}

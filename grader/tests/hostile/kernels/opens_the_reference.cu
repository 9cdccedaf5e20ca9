// Opens the reference's object beside the grader and has it do the work.
// expect: compile_error
#include <dlfcn.h>

#include <cstdio>
#include <cstring>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  char line[4096];
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    char* const end = std::strstr(line, "/graders/");
    if (end == nullptr) continue;
    std::strcpy(end, "/kernels/reference_001_matmul_nn.so");
    void* const object = dlopen(std::strchr(line, '/'), RTLD_NOW | RTLD_LOCAL);
    using Function = decltype(&matmul_nn);
    auto* const function =
        object == nullptr
            ? nullptr
            : reinterpret_cast<Function>(dlsym(object, "_Z9matmul_nnPKfS0_PfiiiP11CUstream_st"));
    if (function != nullptr) function(A, B, C, M, N, K, stream);
    break;
  }
  std::fclose(maps);
}

// Makes the grader's code writable and overwrites it with what returns at once.
// expect: failed, crashed, timed_out
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "moe/kernels.h"

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  char line[4096];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    if (std::strstr(line, "r-xp") == nullptr || std::strstr(line, "/graders/") == nullptr) continue;
    if (std::sscanf(line, "%lx-%lx", &begin, &end) != 2) continue;
    void* const code = reinterpret_cast<void*>(begin);
    if (mprotect(code, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) continue;
    std::memset(code, 0xc3, end - begin);
  }
}

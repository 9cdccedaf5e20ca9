// Looks for the grader's nonce in the memory of its process and sends a verdict under it.
// expect: failed, crashed
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "moe/kernels.h"

namespace {

bool is_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

void forge(const std::string& nonce) {
  const char* const cases[] = {"the lesson's example: 3 tokens, 4 experts",
                               "one element, one row, one column",
                               "sizes that all differ",
                               "a block of threads, one less, one more",
                               "no rows",
                               "full binary32 accuracy",
                               "more than a million rows"};
  std::string text;
  for (const char* name : cases) {
    text += "{\"nonce\":\"" + nonce + "\",\"type\":\"case\",\"name\":\"" + name +
            "\",\"status\":\"passed\",\"message\":\"\",\"seconds\":0}\n";
  }
  text += "{\"nonce\":\"" + nonce + "\",\"type\":\"end\",\"cases\":7}\n";
  for (int fd = 3; fd < 1024; ++fd) {
    const ssize_t written = write(fd, text.data(), text.size());
    (void)written;
  }
  _exit(0);
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  char line[4096];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char rights[8] = {};
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3) continue;
    const bool heap_or_stack =
        std::strstr(line, "[heap]") != nullptr || std::strstr(line, "[stack]") != nullptr;
    if (rights[1] != 'w' || !heap_or_stack) continue;
    const char* const memory = reinterpret_cast<const char*>(begin);
    std::size_t digits = 0;
    for (std::size_t i = 0; i < end - begin; ++i) {
      digits = is_digit(memory[i]) ? digits + 1 : 0;
      if (digits == 64) forge(std::string(memory + i - 63, 64));
    }
  }
}

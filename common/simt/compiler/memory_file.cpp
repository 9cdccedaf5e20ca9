#include "memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace simt::compiler {

MemoryFile::MemoryFile(const std::string& content)
    : descriptor_(memfd_create("simt-cc", MFD_CLOEXEC)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "memory file");
  path_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_);
  std::size_t written = 0;
  while (written < content.size()) {
    const ssize_t count = ::write(descriptor_, content.data() + written, content.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::system_error(errno, std::generic_category(), "memory file");
    written += static_cast<std::size_t>(count);
  }
}

std::string MemoryFile::content() const {
  std::string content;
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count =
        ::pread(descriptor_, buffer, sizeof buffer, static_cast<off_t>(content.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "memory file");
    if (count == 0) return content;
    content.append(buffer, static_cast<std::size_t>(count));
  }
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

}  // namespace simt::compiler

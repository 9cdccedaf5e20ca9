// A file without a name in any folder: other processes open it by path while this one lives, and
// nothing is left behind however this one ends.
#pragma once

#include <string>

namespace simt::compiler {

class MemoryFile {
 public:
  // Throws std::system_error when there is no memory for one.
  explicit MemoryFile(const std::string& content = {});
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }
  std::string content() const;

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace simt::compiler

// Looks whether files have changed. By their times, not by the system's notices, which network
// disks and WSL do not give.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "serve/changes.h"
#include "system/paths.h"

namespace grade::serve {

class Watcher {
 public:
  explicit Watcher(const Paths& paths);

  // What has changed since the last call: progress and the last runs as `change`, with the lessons
  // that were graded, and the text of the pages as `reload`.
  std::vector<Change> look();

 private:
  struct Stamp {
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;
    std::uint64_t inode = 0;  // a file is replaced, not written again
    std::uint64_t size = 0;
    bool operator==(const Stamp&) const = default;
  };
  using Stamps = std::map<std::filesystem::path, Stamp>;

  static void add(Stamps& stamps, const std::filesystem::path& file);
  static void add_folder(Stamps& stamps, const std::filesystem::path& folder,
                         const std::string& extension);
  Stamps results() const;
  Stamps texts() const;

  const Paths& paths_;
  Stamps results_;
  Stamps texts_;
  int calls_ = 0;
};

}  // namespace grade::serve

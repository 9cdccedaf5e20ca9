// Notices that files were saved, however an editor does it: in place, by truncation, by renaming a
// new file over the old one, by swapping. The files are looked at in turn, which works on every
// disk; inotify, where it works, only says that it is time to look.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grade {

class FileWatch {
 public:
  using Clock = std::chrono::steady_clock;

  enum class Notify { polling, inotify };
  using Now = Clock::time_point (*)();
  explicit FileWatch(Notify notify = Notify::inotify, Now now = Clock::now);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // Watches these from now on. What is known of a file watched before stays known; a file that is
  // new here counts as seen.
  void watch(const std::vector<std::filesystem::path>& files);

  // The files whose content is another than at the last report. Each is reported once, when it
  // has come to rest: a half-written or a missing file is waited for.
  std::vector<std::filesystem::path> look();

  // Readable when it is time to look; -1 without inotify.
  int descriptor() const { return notify_; }
  // How long the next look can wait.
  std::chrono::milliseconds pause() const;

 private:
  struct State {  // of a file as the disk has it
    bool there = false;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t modified = 0;  // nanoseconds
    std::string hash;           // of a small file
    bool operator==(const State&) const = default;
  };
  struct File {
    State seen;
    std::string content;  // hash of what was reported
    bool moving = false;
    Clock::time_point moved;
  };
  static State state_of(const std::filesystem::path& file);
  static std::string hash_of(const std::filesystem::path& file, const State& state);

  std::map<std::filesystem::path, File> files_;
  std::map<std::filesystem::path, int> folders_;  // what inotify calls them
  int notify_ = -1;
  Now now_;
};

}  // namespace grade

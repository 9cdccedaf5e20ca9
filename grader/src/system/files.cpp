#include "system/files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/error.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release_and_close() {
    const int result = close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

constexpr int kNotAFile = -1;  // beside the system's error numbers

const char* in_words(int error) {
  return error == kNotAFile ? "it is a device, a pipe or the like, not a file"
                            : std::strerror(error);
}

[[noreturn]] void fail(const char* verb, const fs::path& path, int error) {
  std::string next;
  if (error == ENOSPC || error == EDQUOT) {
    next = "Free some space on that disk, then run the command again.";
  } else if (error == EACCES || error == EPERM || error == EROFS) {
    next = fmt::format("Check who owns it and whether it may be written: ls -ld {}",
                       path.parent_path().string());
  }
  throw Error(Exit::unavailable,
              fmt::format("cannot {} {}: {}", verb, path.string(), in_words(error)), next);
}

// Reads all of it, or gives errno.
int slurp(const fs::path& path, std::string& content) {
  // Without O_NONBLOCK a pipe would be waited for; a device may have no end.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return errno;
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) return kNotAFile;
  content.clear();
  content.reserve(static_cast<std::size_t>(info.st_size) + 1);
  char buffer[16384];
  while (true) {
    const ssize_t got = read(file.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    content.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::string content;
  if (const int error = slurp(path, content); error != 0) fail("read", path, error);
  return content;
}

std::optional<std::string> read_file_if_there(const fs::path& path) {
  std::string content;
  const int error = slurp(path, content);
  if (error == ENOENT || error == ENOTDIR) return std::nullopt;
  if (error != 0) fail("read", path, error);
  return content;
}

fs::path behind_links(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  fs::path target = fs::weakly_canonical(path, error);
  if (error) return path;
  // Of a link to nothing, which is not followed: what it says.
  if (fs::is_symlink(target, error)) return target.parent_path() / fs::read_symlink(target, error);
  return target;
}

StagedFile::StagedFile(fs::path path, std::string_view content) : path_(std::move(path)) {
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("create", folder, error.value());

  temporary_ = path_.string() + fmt::format(".tmp{}", getpid());
  Descriptor file(open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0) fail("write", path_, errno);
  const auto give_up = [&](int reason) {
    unlink(temporary_.c_str());
    fail("write", path_, reason);
  };
  while (!content.empty()) {
    const ssize_t put = write(file.get(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) give_up(errno);
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  if (fsync(file.get()) != 0 && errno != EINVAL) give_up(errno);
  if (file.release_and_close() != 0)
    give_up(errno);  // some network disks say here that they are full
}

StagedFile::~StagedFile() {
  if (!committed_) unlink(temporary_.c_str());
}

void StagedFile::commit() {
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail("write", path_, errno);
  committed_ = true;
  sync_folder();
}

bool StagedFile::commit_new() {
  int error =
      renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0
          ? 0
          : errno;
  committed_ = error == 0;
  // A file system that cannot do this has a second name for the file; ~StagedFile takes the first.
  if (error == EINVAL || error == ENOSYS) {
    error = link(temporary_.c_str(), path_.c_str()) == 0 ? 0 : errno;
  }
  if (error == EEXIST) return false;
  if (error != 0) fail("write", path_, error);
  sync_folder();
  return true;
}

// The new name itself must reach the disk. A file system that cannot sync a folder is no error.
void StagedFile::sync_folder() const {
  const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  const Descriptor directory(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) fsync(directory.get());
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  StagedFile(path, content).commit();
}

std::string content_hash(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace grade

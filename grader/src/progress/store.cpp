#include "progress/store.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "cli/error.h"
#include "course/lesson.h"
#include "system/clock.h"
#include "system/files.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// An exclusive flock on a file of its own (the progress file itself is replaced at each change).
// The kernel gives it back when the process ends, however it ends.
class Lock {
 public:
  // `guarded` is what its holders write.
  Lock(const fs::path& file, const fs::path& guarded) {
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    fd_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd_ < 0) {
      throw Error(Exit::unavailable,
                  fmt::format("cannot save progress: cannot write {}: {}", file.string(),
                              std::strerror(errno)),
                  "Make the folder writable, or set GRADE_PROGRESS to a file in one that is.");
    }
    using std::chrono::milliseconds;
    constexpr int longest_wait_ms = 10'000;
    Version seen = version(guarded);
    for (int waited = 0; flock(fd_, LOCK_EX | LOCK_NB) != 0; waited += 10) {
      const int reason = errno;
      if (reason != EWOULDBLOCK && reason != EINTR) {
        close(fd_);
        throw Error(Exit::unavailable,
                    fmt::format("cannot lock {}: {}", file.string(), std::strerror(reason)),
                    "Set GRADE_PROGRESS to a file on a disk that supports locks.");
      }
      // Several that take turns, on a slow disk too, are no reason to give up.
      if (const Version now = version(guarded); now != seen) {
        seen = now;
        waited = 0;
      }
      if (waited >= longest_wait_ms) {
        close(fd_);
        throw Error(Exit::unavailable,
                    fmt::format("another grade has held {} for 10 seconds", file.string()),
                    "Is one stopped (Ctrl-Z)? `fg` brings it back. Then run the command again.");
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
  }
  ~Lock() { close(fd_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  // Another one after each change.
  using Version = std::array<std::int64_t, 3>;
  static Version version(const fs::path& file) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) return {};
    return {static_cast<std::int64_t>(info.st_ino), info.st_mtim.tv_sec, info.st_mtim.tv_nsec};
  }

  int fd_ = -1;
};

// Gives `existing` a second name; a copy where the file system has no hard links.
bool link_or_copy(const fs::path& existing, const fs::path& name) {
  if (link(existing.c_str(), name.c_str()) == 0) return true;
  std::error_code error;
  return fs::copy_file(existing, name, fs::copy_options::overwrite_existing, error) && !error;
}

}  // namespace

// A link to the file elsewhere must stay a link: the rename goes to where it points.
ProgressStore::ProgressStore(fs::path file, CurrentName current_name)
    : file_(behind_links(file)), current_name_(std::move(current_name)) {}

fs::path ProgressStore::beside(const char* suffix) const {
  return file_.string() + suffix;
}

std::optional<Progress> ProgressStore::sound(const fs::path& file, std::string* problem) const {
  const std::optional<std::string> text = read_file_if_there(file);
  if (!text) return std::nullopt;
  try {
    Progress progress = Progress::parse(*text);
    if (current_name_) progress.rename_lessons(current_name_);
    return progress;
  } catch (const std::runtime_error& error) {
    if (Progress::version_of(*text) > Progress::version) {
      *problem =
          fmt::format("comes from a newer version of this tool (format {}, this one reads {})",
                      Progress::version_of(*text), Progress::version);
    } else {
      *problem = fmt::format("is damaged: {}", error.what());
    }
    return std::nullopt;
  }
}

Progress ProgressStore::read() {
  // The rename makes every state of the file whole, so reading needs no lock.
  std::string problem;
  if (auto progress = sound(file_, &problem)) return std::move(*progress);
  std::error_code error;
  if (problem.empty() && !fs::exists(beside(".bak"), error)) return {};
  try {
    const Lock lock(beside(".lock"), file_);
    return load_locked(true);
  } catch (const Error&) {
    return load_locked(false);  // a read-only folder: go on without mending anything
  }
}

// The current progress, from the backup where the file cannot be used. With `may_write` the bad
// file gets a name of its own and the backup takes its place, so that the message comes once.
Progress ProgressStore::load_locked(bool may_write) {
  std::string problem;
  if (auto progress = sound(file_, &problem)) return std::move(*progress);

  std::string backup_problem;
  auto backup = sound(beside(".bak"), &backup_problem);
  const bool missing = problem.empty();
  if (missing && !backup) return {};

  std::string message = missing ? fmt::format("{} is gone.", file_.string())
                                : fmt::format("{} {}.", file_.string(), problem);
  if (!missing && may_write) {
    std::string time = utc_time(now_seconds());
    std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
    const char* kind = problem.starts_with("comes") ? "newer" : "damaged";
    fs::path aside = beside(fmt::format(".{}-{}", kind, time).c_str());
    for (int n = 2; fs::exists(aside); ++n)
      aside = beside(fmt::format(".{}-{}-{}", kind, time, n).c_str());
    if (!link_or_copy(file_, aside)) {
      throw Error(Exit::unavailable, fmt::format("{} It could not be set aside.", message),
                  "Move it away yourself, then run the command again.");
    }
    message += fmt::format(" It is kept as {}.", aside.filename().string());
  }
  if (backup) {
    message += fmt::format(" Going on from the backup {}", beside(".bak").filename().string());
    message += missing ? " (to start anew, delete that as well)." : ".";
  } else {
    message += " There is no backup that can be used: starting with no progress.";
  }
  Progress progress = backup ? std::move(*backup) : Progress();
  if (may_write) write_file_atomically(file_, progress.text());
  terminal::notice(message);
  return progress;
}

// Called under the lock, when file_ is sound or missing. Each step leaves a whole progress.json.
void ProgressStore::save(const Progress& progress) {
  std::error_code error;
  // What a process killed while it was writing has left.
  const std::string stale = file_.filename().string() + ".tmp";
  for (const auto& entry : fs::directory_iterator(file_.parent_path(), error)) {
    if (entry.path().filename().string().starts_with(stale)) fs::remove(entry.path(), error);
  }
  StagedFile staged(file_, progress.text());
  if (fs::exists(file_, error)) {
    const fs::path next_backup = beside(".bak.tmp");
    fs::remove(next_backup, error);
    if (link_or_copy(file_, next_backup)) fs::rename(next_backup, beside(".bak"), error);
    // A failed backup is no reason to lose the change itself.
  }
  staged.commit();
}

Progress ProgressStore::update(const std::function<void(Progress&)>& change) {
  const Lock lock(beside(".lock"), file_);
  Progress progress = load_locked(true);
  const std::string before = progress.text();
  change(progress);
  if (progress.text() != before || !fs::exists(file_)) save(progress);
  return progress;
}

ProgressStore::Recorded ProgressStore::record_attempt(const Lesson& lesson,
                                                      const Attempt& attempt) {
  Recorded recorded;
  recorded.progress = update([&](Progress& progress) {
    const bool passed_before = progress.passed(lesson.directory());
    progress.add_attempt(lesson.directory(), attempt);
    recorded.first_pass = !passed_before && attempt.status == "passed";
    recorded.attempts = progress.lesson(lesson.directory()).attempts;
  });
  return recorded;
}

}  // namespace grade

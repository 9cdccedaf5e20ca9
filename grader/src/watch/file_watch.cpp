#include "watch/file_watch.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <utility>

#include "system/files.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kBetweenLooks(100);
constexpr milliseconds kBetweenLooksMoving(20);
constexpr milliseconds kAtRest(60);       // unchanged for so long: the editor has finished
constexpr milliseconds kGoneFor(200);     // so long an editor may leave a file empty or missing
constexpr std::int64_t kSmall = 1 << 18;  // bytes: such a file is read at each look

// Its content, or nothing where it cannot be read (any more).
std::optional<std::string> content_of(int descriptor, std::int64_t size) {
  std::string content(static_cast<std::size_t>(size) + 1, '\0');
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t got = read(descriptor, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return content;
}

}  // namespace

FileWatch::FileWatch(Notify notify, Now now) : now_(now) {
  if (notify == Notify::inotify) notify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

FileWatch::~FileWatch() {
  if (notify_ >= 0) close(notify_);
}

// Opened rather than asked for by name: a network disk then fetches the attributes anew. Small
// files are read, since some disks keep time to the second only.
FileWatch::State FileWatch::state_of(const fs::path& file) {
  State state;
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return state;
  struct stat info {};
  if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode)) {
    state = {true,
             info.st_ino,
             info.st_size,
             std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec,
             {}};
    if (info.st_size <= kSmall) {
      if (const auto content = content_of(descriptor, info.st_size)) {
        state.hash = content_hash(*content);
      }
    }
  }
  close(descriptor);
  return state;
}

std::string FileWatch::hash_of(const fs::path& file, const State& state) {
  if (!state.there) return "absent";
  if (!state.hash.empty()) return state.hash;
  try {
    const auto content = read_file_if_there(file);
    return content ? content_hash(*content) : "absent";
  } catch (const std::exception&) {
    return "absent";
  }
}

void FileWatch::watch(const std::vector<fs::path>& files) {
  const std::set<fs::path> wanted(files.begin(), files.end());
  std::erase_if(files_, [&](const auto& each) { return !wanted.contains(each.first); });
  std::set<fs::path> folders;
  for (const fs::path& file : wanted) {
    folders.insert(file.parent_path());
    if (files_.contains(file)) continue;
    File fresh;
    fresh.seen = state_of(file);
    fresh.content = hash_of(file, fresh.seen);
    files_.emplace(file, std::move(fresh));
  }
  if (notify_ < 0) return;
  for (auto each = folders_.begin(); each != folders_.end();) {
    if (folders.contains(each->first)) {
      ++each;
    } else {
      inotify_rm_watch(notify_, each->second);
      each = folders_.erase(each);
    }
  }
  for (const fs::path& folder : folders) {
    if (folders_.contains(folder)) continue;
    const int number = inotify_add_watch(notify_, folder.c_str(),
                                         IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_CREATE);
    if (number >= 0) folders_.emplace(folder, number);
  }
}

std::vector<fs::path> FileWatch::look() {
  if (notify_ >= 0) {
    alignas(inotify_event) char events[4096];
    while (read(notify_, events, sizeof events) > 0) {
    }
  }
  std::vector<fs::path> changed;
  for (auto& [path, file] : files_) {
    State state = state_of(path);
    const auto now = now_();
    if (state != file.seen) {
      file.seen = std::move(state);
      file.moving = true;
      file.moved = now;
      continue;
    }
    if (!file.moving) continue;
    const bool nothing = !file.seen.there || file.seen.size == 0;
    if (now - file.moved < (nothing ? kGoneFor : kAtRest)) continue;
    file.moving = false;
    std::string content = hash_of(path, file.seen);
    if (content == file.content) continue;
    file.content = std::move(content);
    changed.push_back(path);
  }
  return changed;
}

milliseconds FileWatch::pause() const {
  const bool moving = std::any_of(files_.begin(), files_.end(),
                                  [](const auto& each) { return each.second.moving; });
  return moving ? kBetweenLooksMoving : kBetweenLooks;
}

}  // namespace grade

#include "serve/watcher.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace grade::serve {
namespace {

namespace fs = std::filesystem;

constexpr int kTextsEvery = 10;  // calls: texts change less, and there are more of them

}  // namespace

Watcher::Watcher(const Paths& paths) : paths_(paths), results_(results()), texts_(texts()) {}

void Watcher::add(Stamps& stamps, const fs::path& file) {
  struct stat info {};
  if (stat(file.c_str(), &info) != 0) return;
  stamps[file] = {info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ino,
                  static_cast<std::uint64_t>(info.st_size)};
}

void Watcher::add_folder(Stamps& stamps, const fs::path& folder, const std::string& extension) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) add(stamps, entry.path());
  }
}

Watcher::Stamps Watcher::results() const {
  Stamps stamps;
  add(stamps, paths_.progress());
  add_folder(stamps, paths_.state() / "runs", ".json");
  return stamps;
}

Watcher::Stamps Watcher::texts() const {
  Stamps stamps;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(paths_.lessons(), error)) {
    add(stamps, entry.path() / "lesson.md");
  }
  add_folder(stamps, paths_.docs(), ".md");
  return stamps;
}

std::vector<Change> Watcher::look() {
  std::vector<Change> changes;
  if (Stamps now = results(); now != results_) {
    nlohmann::json lessons = nlohmann::json::array();
    for (const auto& [file, stamp] : now) {
      const auto before = results_.find(file);
      const bool changed = before == results_.end() || before->second != stamp;
      if (changed && file != paths_.progress()) lessons.push_back(file.stem().string());
    }
    changes.push_back({"change", nlohmann::json{{"lessons", lessons}}.dump()});
    results_ = std::move(now);
  }
  if (++calls_ % kTextsEvery == 0) {
    if (Stamps now = texts(); now != texts_) {
      changes.push_back({"reload", "{}"});
      texts_ = std::move(now);
    }
  }
  return changes;
}

}  // namespace grade::serve

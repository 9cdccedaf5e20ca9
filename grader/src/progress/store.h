// progress.json on disk: atomic, locked, with the previous version kept as progress.json.bak.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "progress/progress.h"

namespace grade {

class ProgressStore {
 public:
  // `current_name` gives the present name of a lesson's folder for one that an earlier version
  // used: what was recorded under that counts for this.
  using CurrentName = std::function<std::string(const std::string&)>;
  explicit ProgressStore(std::filesystem::path file, CurrentName current_name = {});

  // The current progress. A file that is damaged, or from a newer version, is set aside (never
  // overwritten or deleted), a message says so on stderr, and the backup is used. Works in a
  // read-only tree.
  Progress read();

  // Applies `change` to the current progress under the lock and writes the result: the whole
  // change is saved or nothing is. Safe against other processes. Throws Error(unavailable) when
  // it cannot be saved (disk full, read-only); the file is then as it was.
  Progress update(const std::function<void(Progress&)>& change);

  // What `grade run` calls after a run of the learner's own kernel.
  struct Recorded {
    bool first_pass = false;  // this attempt earned the lesson's XP
    int attempts = 0;         // of this lesson, this one included
    Progress progress;        // as saved
  };
  Recorded record_attempt(const Lesson& lesson, const Attempt& attempt);

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path beside(const char* suffix) const;  // progress.json + suffix
  std::optional<Progress> sound(const std::filesystem::path& file, std::string* problem) const;
  Progress load_locked(bool may_write);
  void save(const Progress& progress);

  std::filesystem::path file_;
  CurrentName current_name_;
};

}  // namespace grade

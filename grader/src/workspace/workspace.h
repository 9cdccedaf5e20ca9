// The learner's files: lessons/NNN_slug/kernel.cu, made from stub.cu, and their backups. Nothing
// here ever destroys work: what is replaced goes to .grade/backups first, where the newest 50 of
// each lesson stay.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "course/course.h"
#include "system/paths.h"

namespace grade {

struct Backup {
  std::string lesson;  // directory
  std::string time;    // UTC, as in the file's name
  std::string reason;  // reset, undo, stub, update, renamed
  std::filesystem::path file;
};

// An update changed the stub under a kernel with work in it.
struct StubChange {
  std::filesystem::path base;  // the stub that the kernel was made from
  std::filesystem::path stub;  // the stub of now
};

class Workspace {
 public:
  static constexpr std::size_t kBackupsKept = 50;  // a lesson

  explicit Workspace(const Paths& paths) : paths_(paths) {}

  // The file to grade. Makes kernel.cu from the stub when it is not there (the folder too), and
  // keeps a copy of that stub in .grade/stubs. A stub edited by mistake is put back, the edit goes
  // to kernel.cu when that is untouched, else to the backups; a message on stderr says so.
  // (GRADE_AUTHOR=1 leaves stubs alone.) Throws Error(unavailable).
  std::filesystem::path kernel(const Lesson& lesson);

  // Sees to the stub as kernel() does, makes no kernel, and says nothing of a stub that an update
  // has changed under work.
  void look_at_stub(const Lesson& lesson) { mend_stub(lesson, false); }
  // While there is such a change, and the learner has not yet said what to do about it.
  std::optional<StubChange> stub_change(const Lesson& lesson) const;
  // The kernel stays as it is: the change is not mentioned again.
  void keep(const Lesson& lesson);
  // Backs kernel.cu up, then gives it a content in which the change is worked in.
  Backup take_over(const Lesson& lesson, const std::string& content);

  // Moves the learner's files of a lesson that an update has given another name; work under both
  // names is kept, one in the backups. What cannot be moved stays, and a message says so.
  void follow_renamed(const Course& course);

  // True when kernel.cu is missing or still equal to the stub.
  bool untouched(const Lesson& lesson) const;

  // Copies kernel.cu to the backups; empty when there is no kernel.cu.
  std::optional<Backup> back_up(const Lesson& lesson, const std::string& reason);
  // Backs kernel.cu up, then makes it anew from the stub.
  std::optional<Backup> reset(const Lesson& lesson);
  // Backs kernel.cu up, then puts the backup's content in its place: undo can be undone.
  void restore(const Lesson& lesson, const Backup& backup);
  // Oldest first; of one lesson when `directory` is given. Stubs saved aside are included.
  std::vector<Backup> backups(const std::string& directory = {}) const;

 private:
  void prune(const std::string& directory) const;
  Backup save(const std::string& directory, const std::string& content, const std::string& reason);
  std::filesystem::path pristine_stub(const Lesson& lesson) const;
  std::filesystem::path base_stub(const Lesson& lesson) const;
  void mend_stub(const Lesson& lesson, bool tell_of_update = true);
  void note_update(const Lesson& lesson, const std::string& known, const std::string& stub,
                   bool tell_of_update);
  void move_kernel(const std::filesystem::path& folder, const Lesson& lesson);
  // A kernel.cu that is a link leads to a file of the learner's, outside of the workbook.
  void check_link(const Lesson& lesson) const;

  const Paths& paths_;
};

}  // namespace grade

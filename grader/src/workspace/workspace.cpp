#include "workspace/workspace.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>

#include "cli/error.h"
#include "system/clock.h"
#include "system/files.h"
#include "system/process.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// The file as the checked-out commit has it; empty without git, or when git does not know the file.
std::optional<std::string> committed(const fs::path& root, const fs::path& file) {
  const std::string object = "HEAD:./" + file.lexically_relative(root).string();
  const auto result = capture({"git", "-C", root.string(), "cat-file", "--filters", object});
  if (!result || result->exit != 0) return std::nullopt;
  return result->output;
}

// The text without what stands between "// TODO(n)" and "// END TODO(n)", which is what a learner
// fills in.
std::string outside_todo_regions(const std::string& text) {
  std::istringstream lines(text);
  std::string outside;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("// END TODO(") != std::string::npos) inside = false;
    if (!inside) outside += line + "\n";
    if (line.find("// TODO(") != std::string::npos) inside = true;
  }
  return outside;
}

bool is_author() {
  const char* value = std::getenv("GRADE_AUTHOR");
  return value != nullptr && *value != '\0';
}

// 20250309T140506Z-0007-reset-001_matmul_nn.cu
struct BackupName {
  std::string time;
  int sequence = 0;
  std::string reason;
  std::string lesson;
};

std::optional<BackupName> parse_backup_name(const fs::path& file) {
  if (file.extension() != ".cu") return std::nullopt;
  std::istringstream parts(file.stem().string());
  BackupName name;
  std::string sequence;
  if (!std::getline(parts, name.time, '-') || !std::getline(parts, sequence, '-') ||
      !std::getline(parts, name.reason, '-') || !std::getline(parts, name.lesson)) {
    return std::nullopt;
  }
  const char* end = sequence.data() + sequence.size();
  if (std::from_chars(sequence.data(), end, name.sequence).ptr != end) return std::nullopt;
  return name;
}

}  // namespace

fs::path Workspace::pristine_stub(const Lesson& lesson) const {
  return paths_.state() / "stubs" / (lesson.directory() + ".cu");
}

// There while the stub is another than the one that a kernel with work in it was made from.
fs::path Workspace::base_stub(const Lesson& lesson) const {
  return paths_.state() / "bases" / (lesson.directory() + ".cu");
}

void Workspace::check_link(const Lesson& lesson) const {
  std::error_code ignored;
  if (!fs::is_symlink(lesson.kernel(), ignored)) return;
  const std::string link = paths_.shown(lesson.kernel());
  const fs::path target = behind_links(lesson.kernel());
  if (!fs::exists(target, ignored)) {
    throw Error(Exit::unavailable,
                fmt::format("{} is a link to {}, which is not there", link, target.string()),
                "Put the file there, or remove the link: the kernel is then made from the stub.");
  }
  const fs::path inside = target.lexically_relative(fs::weakly_canonical(paths_.root, ignored));
  if (!inside.empty() && *inside.begin() != "..") {
    throw Error(
        Exit::unavailable,
        fmt::format("{} is a link to {}, a file of the workbook itself", link, inside.string()),
        "Remove the link: the kernel is then made from the stub. A link to a file of your "
        "own, elsewhere, is fine.");
  }
}

fs::path Workspace::kernel(const Lesson& lesson) {
  check_link(lesson);
  mend_stub(lesson);
  if (!fs::exists(lesson.kernel())) {
    write_file_atomically(behind_links(lesson.kernel()), read_file(lesson.stub()));
    keep(lesson);
  }
  return lesson.kernel();
}

// The usual case, a stub equal to the copy that was kept of it, costs two small reads.
void Workspace::mend_stub(const Lesson& lesson, bool tell_of_update) {
  const std::optional<std::string> stub = read_file_if_there(lesson.stub());
  const std::optional<std::string> known = read_file_if_there(pristine_stub(lesson));
  if (stub && stub == known) return;

  const std::optional<std::string> original = committed(paths_.root, lesson.stub());
  if (!stub) {
    if (!original && !known) {
      throw Error(Exit::unavailable, fmt::format("{} is missing", lesson.stub().string()),
                  "Get it back with git, or copy the workbook anew (your kernel.cu files stay).");
    }
    write_file_atomically(lesson.stub(), original ? *original : *known);
    terminal::notice(
        fmt::format("{} was missing and has been put back.", paths_.shown(lesson.stub())));
    if (!known) write_file_atomically(pristine_stub(lesson), *read_file_if_there(lesson.stub()));
    return;
  }

  const std::optional<std::string> kernel = read_file_if_there(lesson.kernel());
  // Git knows whether the stub is as it should be. Without git, a change inside the TODO regions
  // alone is a learner's, any other an update's.
  const bool as_it_should_be =
      is_author() ||
      (original ? *stub == *original
                : !known || outside_todo_regions(*stub) != outside_todo_regions(*known));
  if (as_it_should_be) {
    // A first use, or an update: an untouched kernel follows its stub.
    if (known && kernel == known) {
      write_file_atomically(behind_links(lesson.kernel()), *stub);
      keep(lesson);
    } else if (known && kernel && kernel != stub && !is_author()) {
      note_update(lesson, *known, *stub, tell_of_update);
    }
    write_file_atomically(pristine_stub(lesson), *stub);
    return;
  }

  const std::string& before = original ? *original : *known;
  std::string message = fmt::format("{} was edited; the file to edit is {}. ",
                                    paths_.shown(lesson.stub()), paths_.shown(lesson.kernel()));
  if (!kernel || *kernel == before || kernel == known) {
    save(lesson.directory(), *stub, "stub");
    write_file_atomically(behind_links(lesson.kernel()), *stub);
    message += "Your edit was moved there, and the stub is as it was.";
  } else if (*kernel == *stub) {
    message += "They were equal; the stub is as it was.";
  } else {
    const Backup backup = save(lesson.directory(), *stub, "stub");
    message += fmt::format(
        "Both hold work, so your edit of the stub was kept as {}, and the stub is "
        "as it was.",
        paths_.shown(backup.file));
  }
  write_file_atomically(lesson.stub(), before);
  write_file_atomically(pristine_stub(lesson), before);
  terminal::notice(message);
}

void Workspace::note_update(const Lesson& lesson, const std::string& known, const std::string& stub,
                            bool tell_of_update) {
  const std::optional<std::string> base = read_file_if_there(base_stub(lesson));
  if (base == stub) return keep(lesson);  // the update was taken back
  if (!base) write_file_atomically(base_stub(lesson), known);
  if (!tell_of_update) return;
  terminal::notice(fmt::format(
      "An update has changed {}. Your kernel is as it was; `grade update {}` shows what is new "
      "in the stub and can work it in.",
      paths_.shown(lesson.stub()), lesson.number));
}

std::optional<StubChange> Workspace::stub_change(const Lesson& lesson) const {
  const fs::path base = base_stub(lesson);
  std::error_code error;
  if (!fs::exists(base, error) || !fs::exists(lesson.kernel(), error)) return std::nullopt;
  return StubChange{base, lesson.stub()};
}

void Workspace::keep(const Lesson& lesson) {
  std::error_code ignored;
  fs::remove(base_stub(lesson), ignored);
}

Backup Workspace::take_over(const Lesson& lesson, const std::string& content) {
  Backup backup = save(lesson.directory(), read_file(lesson.kernel()), "update");
  write_file_atomically(behind_links(lesson.kernel()), content);
  keep(lesson);
  return backup;
}

void Workspace::follow_renamed(const Course& course) {
  for (const fs::path& folder : course.left_folders) {
    const std::string name = folder.filename().string();
    const Lesson* lesson = course.known_as(name);
    std::error_code error;
    if (lesson == nullptr || !fs::exists(folder / "kernel.cu", error)) continue;
    try {
      move_kernel(folder, *lesson);
    } catch (const std::exception& failure) {
      terminal::notice(fmt::format("Lesson {} is now {}. {} could not be moved there: {}", name,
                                   lesson->directory(), paths_.shown(folder / "kernel.cu"),
                                   failure.what()));
    }
  }
}

void Workspace::move_kernel(const fs::path& folder, const Lesson& lesson) {
  const std::string before = folder.filename().string();
  const fs::path kernel = folder / "kernel.cu";
  std::string message = fmt::format("Lesson {} is now {}. ", before, lesson.directory());
  if (untouched(lesson)) {
    for (const char* kind : {"stubs", "bases"}) {
      const fs::path from = paths_.state() / kind / (before + ".cu");
      const fs::path to = paths_.state() / kind / (lesson.directory() + ".cu");
      if (fs::exists(from)) fs::rename(from, to);
    }
    fs::rename(kernel, lesson.kernel());
    message += "Your kernel has moved with it.";
  } else {
    const Backup backup = save(lesson.directory(), read_file(kernel), "renamed");
    fs::remove(kernel);
    message += fmt::format("Both had a kernel with work in it: the older one is kept as {}.",
                           paths_.shown(backup.file));
  }
  std::error_code not_empty;
  fs::remove(folder, not_empty);
  terminal::notice(message);
}

bool Workspace::untouched(const Lesson& lesson) const {
  const auto kernel = read_file_if_there(lesson.kernel());
  return !kernel || kernel == read_file_if_there(lesson.stub()) ||
         kernel == read_file_if_there(pristine_stub(lesson));
}

Backup Workspace::save(const std::string& directory, const std::string& content,
                       const std::string& reason) {
  int sequence = 1;
  for (const Backup& other : backups()) {
    sequence = std::max(sequence, parse_backup_name(other.file)->sequence + 1);
  }
  Backup backup{directory, utc_time(now_seconds()), reason, {}};
  std::string time = backup.time;
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  while (true) {
    backup.file =
        paths_.backups() / fmt::format("{}-{:04}-{}-{}.cu", time, sequence, reason, directory);
    // Should another grade be saving at the same moment, the name may be taken.
    if (StagedFile(backup.file, content).commit_new()) break;
    ++sequence;
  }
  prune(directory);
  return backup;
}

// The oldest go once the new one is safe.
void Workspace::prune(const std::string& directory) const {
  const std::vector<Backup> kept = backups(directory);
  std::error_code ignored;
  for (std::size_t i = 0; i + kBackupsKept < kept.size(); ++i) fs::remove(kept[i].file, ignored);
}

std::optional<Backup> Workspace::back_up(const Lesson& lesson, const std::string& reason) {
  const auto content = read_file_if_there(lesson.kernel());
  if (!content) return std::nullopt;
  return save(lesson.directory(), *content, reason);
}

std::optional<Backup> Workspace::reset(const Lesson& lesson) {
  check_link(lesson);
  mend_stub(lesson);
  auto backup = back_up(lesson, "reset");
  write_file_atomically(behind_links(lesson.kernel()), read_file(lesson.stub()));
  keep(lesson);
  return backup;
}

void Workspace::restore(const Lesson& lesson, const Backup& backup) {
  check_link(lesson);
  const std::string content = read_file(backup.file);
  back_up(lesson, "undo");
  write_file_atomically(behind_links(lesson.kernel()), content);
}

std::vector<Backup> Workspace::backups(const std::string& directory) const {
  std::vector<std::pair<int, Backup>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(paths_.backups(), error)) {
    const auto name = parse_backup_name(entry.path());
    if (!name || (!directory.empty() && name->lesson != directory)) continue;
    const std::string& t = name->time;
    const std::string time =
        t.size() != 16
            ? t
            : fmt::format("{}-{}-{}T{}:{}:{}Z", t.substr(0, 4), t.substr(4, 2), t.substr(6, 2),
                          t.substr(9, 2), t.substr(11, 2), t.substr(13, 2));
    found.push_back({name->sequence, {name->lesson, time, name->reason, entry.path()}});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Backup> sorted;
  sorted.reserve(found.size());
  for (auto& [sequence, backup] : found) sorted.push_back(std::move(backup));
  return sorted;
}

}  // namespace grade

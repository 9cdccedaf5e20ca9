#include "fair_play.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "lexer.h"

namespace simt::compiler {
namespace {

namespace fs = std::filesystem;

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

Problem problem_at(const std::string& file, int line, std::string message) {
  Problem problem;
  problem.file = file;
  problem.line = line;
  problem.message = std::move(message);
  return problem;
}

// ---- Disguises ----

void skip_blanks_and_comments(std::string_view& line) {
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\f\v\r"), line.size()));
    if (!line.starts_with("/*")) return;
    const std::size_t close = line.find("*/", 2);
    line.remove_prefix(close == std::string_view::npos ? line.size() : close + 2);
  }
}

// `# 12 "file" 3`: what only a preprocessor writes.
bool is_line_marker(std::string_view line) {
  skip_blanks_and_comments(line);
  if (!starts_with_any(line, {"#", "%:"})) return false;
  line.remove_prefix(line.front() == '#' ? 1 : 2);
  skip_blanks_and_comments(line);
  return !line.empty() && line.front() >= '0' && line.front() <= '9';
}

// Compilers read what a #line names, to its end; a device may have none.
bool is_device(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

// ---- Symbols ----

// Names of the C library that load code or find what is loaded. That of a kernel is linked.
bool loads_code(std::string_view name) {
  name = name.substr(0, name.find('@'));
  return is_any_of(name,
                   {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr", "dladdr1", "dl_iterate_phdr",
                    "_dl_find_object", "__libc_dlopen_mode", "__libc_dlsym"});
}

// What a grader asks of the runtime (simt/inspect.h), and what the runtime is made of.
bool belongs_to_the_runtime(std::string_view name) {
  if (!name.starts_with("simt::")) return false;
  name.remove_prefix(std::string_view("simt::").size());
  return starts_with_any(
      name, {"LessonScope::",     "api::",         "arena::",         "async_copies::",
             "barriers::",        "detector::",    "diagnostics::",   "executed_blocks(",
             "fibers::",          "fill_with_",    "graphs::",        "heap::",
             "host_access::",     "kernels::",     "launch_was_cut(", "launches_since_",
             "live_allocations",  "mark_",         "module_of(",      "name_allocation(",
             "names::",           "order::",       "profile::",       "reports::",
             "reset_device(",     "restrict_",     "scheduler::",     "set_",
             "shared_memory::",   "start_launch(", "symboliser::",    "take_",
             "warp_operations::", "watchdog::"});
}

bool belongs_to_the_grader(std::string_view name) {
  return starts_with_any(name, {"testing::", "doctest::", "oracle::", "micro_batch::"}) ||
         belongs_to_the_runtime(name);
}

// The path of a file below the workbook's root; empty for one that lies elsewhere.
fs::path within(const std::string& workbook, const std::string& file) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(file, ignored);
  const fs::path relative = path.lexically_relative(fs::weakly_canonical(workbook, ignored));
  return relative.empty() || *relative.begin() == ".." ? fs::path() : relative;
}

// solutions/fast: what the fast kernels have in common.
bool is_shared_by_solutions(const fs::path& relative, const fs::path& source) {
  return relative.parent_path() == fs::path("solutions") / "fast" && relative.extension() == ".h" &&
         !source.empty() && *source.begin() == "solutions";
}

}  // namespace

std::optional<std::string> why_not_include(const std::string& file, const std::string& source,
                                           const std::string& workbook, const std::string& lesson) {
  if (workbook.empty() || lesson.empty()) return std::nullopt;
  const fs::path relative = within(workbook, file);
  if (relative.empty() || is_shared_by_solutions(relative, within(workbook, source))) {
    return std::nullopt;
  }
  const std::string shown = relative.string();
  const auto no = [&](std::string_view why) {
    return "lesson " + lesson.substr(0, 3) + " may not include " + shown + ": " + std::string(why);
  };
  const std::string top = relative.begin()->string();
  if (top == "solutions") return no("the kernel is the exercise");
  if (top == "grader" || shown.starts_with("common/testing/")) return no("it is the graders'");
  if (shown == "common/simt/include/simt/inspect.h") {
    return no("it is what a grader asks of the runtime");
  }
  if (top != "lessons") return std::nullopt;
  const std::string extension = relative.extension().string();
  if (extension == ".cpp") return no("it is the graders'");
  if (extension == ".cu" && std::next(relative.begin())->string() != lesson) {
    return no("the kernel is the exercise; what lessons share can stand in a header of yours");
  }
  return std::nullopt;
}

std::vector<Problem> check_included_files(std::string_view preprocessed, const std::string& source,
                                          const std::string& workbook, const std::string& lesson) {
  std::vector<Problem> found;
  std::set<std::string> judged{source};
  std::string file = source;
  int line = 1;
  each_line(preprocessed, [&](std::size_t, std::size_t, const LineMarker* marker) {
    if (marker == nullptr) {
      ++line;
      return;
    }
    if (judged.insert(marker->file).second && !marker->file.starts_with('<')) {
      if (const auto why = why_not_include(marker->file, source, workbook, lesson)) {
        found.push_back(problem_at(file, line, *why));
      }
      if (is_device(marker->file)) {
        found.push_back(
            problem_at(source, 0, "a #line names " + marker->file + ", which is no file"));
      }
    }
    if (!marker->file.empty()) file = marker->file;
    line = marker->line;
  });
  return found;
}

std::vector<Problem> check_dependencies(std::string_view rule, const std::string& source,
                                        const std::string& workbook, const std::string& lesson) {
  std::vector<Problem> found;
  std::string word;
  const auto finish = [&] {
    if (!word.empty() && word.back() != ':' && word != source) {
      if (const auto why = why_not_include(word, source, workbook, lesson)) {
        found.push_back(problem_at(source, 0, *why));
      }
    }
    word.clear();
  };
  for (std::size_t i = 0; i < rule.size(); ++i) {
    const bool escaped = rule[i] == '\\' && i + 1 < rule.size();
    if (escaped) ++i;
    const bool blank = rule[i] == '\n' || (!escaped && (rule[i] == ' ' || rule[i] == '\t'));
    if (blank) {
      finish();
    } else {
      word += rule[i];
    }
  }
  finish();
  return found;
}

std::vector<Problem> check_disguises(std::string_view text, const std::string& file) {
  std::vector<Problem> found;
  int line = 1;
  for (std::size_t begin = 0; begin < text.size();) {
    // A line with those that its backslashes join to it.
    const int first = line;
    std::string whole;
    for (bool joined = true; joined && begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      whole += text.substr(begin, end - begin);
      begin = end + 1;
      if (whole.ends_with('\r')) whole.pop_back();
      joined = whole.ends_with('\\');
      if (joined) whole.pop_back();
    }
    if (is_line_marker(whole)) {
      found.push_back(problem_at(file, first, "line markers are the preprocessor's to write"));
    }
    // #pragma and _Pragma
    if (whole.find("system_header") != std::string::npos &&
        whole.find("ragma") != std::string::npos) {
      found.push_back(problem_at(file, first, "this pragma would hide the file from the checks"));
    }
  }
  return found;
}

std::vector<Problem> check_attributes(std::string_view preprocessed, const std::string& file) {
  std::vector<Problem> found;
  const TokenStream stream = lex(preprocessed, {file, true});
  for (const Token& token : stream.tokens) {
    if (token.kind != TokenKind::identifier) continue;
    std::string_view name = token.text;
    while (name.starts_with('_')) name.remove_prefix(1);
    while (name.ends_with('_')) name.remove_suffix(1);
    if (!name.starts_with("no_sanitize") && name != "disable_sanitizer_instrumentation") continue;
    found.push_back(problem_at(stream.files[static_cast<std::size_t>(token.file)], token.line,
                               "'" + std::string(token.text) +
                                   "' would leave the checks out of this function; a lesson's "
                                   "kernels are checked"));
  }
  return found;
}

std::vector<Trespass> check_symbols(const std::vector<Symbol>& object,
                                    const std::vector<Symbol>& runtime) {
  std::set<std::string_view> runtimes_own;
  for (const Symbol& symbol : runtime) {
    if (symbol.defined && symbol.function && !symbol.weak) runtimes_own.insert(symbol.name);
  }
  std::vector<Trespass> found;
  for (const Symbol& symbol : object) {
    if (symbol.defined) {
      // What headers define inline is weak in both.
      if (symbol.function && runtimes_own.contains(symbol.name)) {
        found.push_back({symbol.demangled, "is the CPU runtime's to define"});
      }
    } else if (loads_code(symbol.name)) {
      found.push_back({symbol.demangled, "may not be called: a kernel loads no code"});
    } else if (belongs_to_the_grader(symbol.demangled)) {
      found.push_back({symbol.demangled, "may not be called: it is the grader's"});
    }
  }
  return found;
}

}  // namespace simt::compiler

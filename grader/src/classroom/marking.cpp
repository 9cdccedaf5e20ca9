#include "classroom/marking.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <map>
#include <set>
#include <sstream>

#include "terminal/text.h"

namespace grade::classroom {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLongestFile = std::uintmax_t{1} << 20;
constexpr std::size_t kFailuresKept = 8;
constexpr std::size_t kMessageKept = 2000;  // bytes

// The text as a student may read it: short, and with the file as it was handed in, not as it lies
// on the instructor's machine.
std::string for_student(const std::string& raw, const Submission& submission) {
  const std::string path = submission.file.string();
  std::string text = terminal::printable(raw);
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;) {
    text.replace(at, path.size(), submission.file.filename().string());
  }
  if (text.size() <= kMessageKept) return text;
  text.resize(kMessageKept);
  return terminal::printable(text) + " …";
}

// "file:12:3: error: ..." of any file.
bool begins_a_message(const std::string& line) {
  const std::size_t colon = line.find(':');
  return colon != std::string::npos && colon > 0 && line.front() != ' ' &&
         colon + 1 < line.size() && std::isdigit(static_cast<unsigned char>(line[colon + 1])) != 0;
}

// What the compiler said about the submitted file, which it calls by its full path; messages about
// other files, which a student may have named in an #include, stay out.
std::string compiler_messages(const std::string& all, const Submission& submission) {
  const std::string path = submission.file.string();
  std::istringstream lines(terminal::printable(all));
  std::string kept;
  bool own = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(path + ":")) {
      own = true;
    } else if (begins_a_message(line) || line.starts_with("In file included from")) {
      own = false;
    }
    if (own) kept += line + "\n";
  }
  return for_student(kept, submission);
}

std::string in_words(const GradeOutcome& outcome) {
  for (const RunResult& run : outcome.runs) {
    if (run.status == outcome.status && !run.reason.empty()) return run.reason;
  }
  std::map<std::string, int> count;
  int cases = 0;
  std::set<std::string> kinds;
  for (const RunResult& run : outcome.runs) {
    if (run.status != outcome.status) continue;
    for (const CaseResult& each : run.cases) {
      ++count[each.status];
      ++cases;
    }
    for (const ReportedDiagnostic& each : run.diagnostics) {
      if (each.error) kinds.insert(each.kind);
    }
  }
  std::string text = fmt::format("{} of {} cases failed", count["failed"], cases);
  for (const std::string& kind : kinds) text += ", " + kind;
  return text;
}

void describe(Mark& mark, const GradeOutcome& outcome, const Submission& submission) {
  mark.status = name(outcome.status);
  if (outcome.status != Status::passed) mark.reason = in_words(outcome);
  for (const RunResult& run : outcome.runs) {
    mark.seconds += run.cached ? 0 : run.build_seconds + run.run_seconds;
    for (const CaseResult& each : run.cases) {
      ++mark.cases;
      if (each.status == "passed") ++mark.cases_passed;
      if (each.status == "failed" && mark.failures.size() < kFailuresKept) {
        mark.failures.push_back(
            {terminal::printable(each.name), for_student(each.message, submission), 0});
      }
    }
    for (const ReportedDiagnostic& each : run.diagnostics) {
      if (!each.error || mark.failures.size() >= kFailuresKept) continue;
      const bool own = fs::path(each.file).filename() == submission.file.filename();
      mark.failures.push_back(
          {each.kind, for_student(each.message, submission), own ? each.line : 0});
    }
    if (mark.compiler.empty() && run.status == Status::compile_error) {
      mark.compiler = compiler_messages(run.compiler_messages, submission);
    }
  }
}

// Of a run with hidden inputs only how it ended: a value in a message would tell of the inputs, and
// what a program prints may be anything it has seen.
void describe_hidden(Mark& mark, const GradeOutcome& outcome) {
  mark.hidden = name(outcome.status);
  for (const RunResult& run : outcome.runs) mark.seconds += run.run_seconds;
  if (outcome.status == Status::passed) return;
  mark.status = mark.hidden;
  std::string how = mark.hidden;
  std::replace(how.begin(), how.end(), '_', ' ');
  mark.reason = fmt::format("passed with the public inputs, {} with hidden ones", how);
}

void grade_it(Mark& mark, const Grading& grading, const Submission& submission,
              const MarkingOptions& options) {
  std::error_code error;
  if (fs::file_size(submission.file, error) > kLongestFile && !error) {
    mark.status = name(Status::compile_error);
    mark.reason = "the file is larger than 1 MiB, so it was not compiled";
    return;
  }
  GradeRequest request;
  request.lesson = submission.lesson;
  request.file = submission.file;
  request.seed = options.seed;
  request.fresh = options.fresh;
  request.timeout = options.timeout;
  request.shards = options.shards;
  const GradeOutcome outcome = grading.grade(request);
  describe(mark, outcome, submission);
  if (outcome.status != Status::passed || !options.hidden) return;
  request.seed = options.hidden->of(*submission.lesson);
  request.secret_seed = true;
  describe_hidden(mark, grading.grade(request));
}

}  // namespace

Mark mark_submission(const Grading& grading, const Submission& submission,
                     const MarkingOptions& options) {
  Mark mark;
  mark.lesson = submission.lesson->directory();
  mark.file = submission.shown;
  try {
    grade_it(mark, grading, submission, options);
  } catch (const std::exception& error) {
    mark.status = name(Status::unavailable);
    mark.reason = error.what();
  }
  mark.seconds = std::round(mark.seconds * 1000) / 1000;
  if (mark.status == name(Status::passed)) mark.points = submission.lesson->xp;
  return mark;
}

Mark missing(const Lesson& lesson, const std::string& reason) {
  Mark mark;
  mark.lesson = lesson.directory();
  mark.status = "missing";
  mark.reason = reason;
  return mark;
}

}  // namespace grade::classroom

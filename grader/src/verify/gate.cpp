#include "verify/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string_view>

#include "build/fast_kernel.h"
#include "run/grader_process.h"
#include "run/pool.h"
#include "system/files.h"
#include "terminal/text.h"
#include "verify/bench_case.h"
#include "verify/documents.h"
#include "verify/formulas.h"
#include "verify/impostors.h"
#include "verify/mutant.h"

namespace grade {
namespace {

namespace fs = std::filesystem;

// The reference runs with the grader's own schedules, again with other inputs, and with more
// schedules; so does a fast kernel.
constexpr int kReferenceRuns = 3;
constexpr int kFastRuns = 2;
constexpr int kManySchedules = 6;

enum class Role { stub, reference, fast, variant, impostor, mutant };

// One file that is graded.
struct Subject {
  const Lesson* lesson = nullptr;
  Role role = Role::stub;
  std::string what;
  fs::path file;
  int schedules = 0;
  std::optional<Mutant> mutant;
  std::string needs_gpu;  // of a fast kernel that the CPU runtime cannot run: "9.0"
  std::uint64_t seed = 0;
  RunResult result;
};

const char* check_name(Role role) {
  switch (role) {
    case Role::stub:
      return "stub";
    case Role::reference:
      return "reference";
    case Role::fast:
      return "fast";
    case Role::variant:
      return "variant";
    case Role::impostor:
      return "impostor";
    case Role::mutant:
      break;
  }
  return "mutant";
}

// Why a run was rejected, in the words of a mutant's header.
std::set<std::string> reasons(const RunResult& result) {
  std::set<std::string> found;
  std::set<std::string> explained;  // cases in which something else than a value was reported
  for (const ReportedDiagnostic& each : result.diagnostics) {
    if (!each.error) continue;
    found.insert(each.kind);
    explained.insert(each.case_name);
  }
  for (const CaseResult& each : result.cases) {
    if (each.status != "failed") continue;
    // Both may be true of a case: what was read was never written, and the value is wrong.
    const bool wrong_value = each.message.find(", expected ") != std::string::npos;
    if (wrong_value || !explained.contains(each.name)) found.insert("value");
  }
  if (result.status == Status::timed_out) found.insert("endless_loop");
  return found;
}

bool rejected_as_stated(const Mutant& mutant, const RunResult& result) {
  const std::set<std::string> found = reasons(result);
  return std::any_of(mutant.rejected_for.begin(), mutant.rejected_for.end(),
                     [&](const std::string& each) { return found.contains(each); });
}

// In one line: what a run came to.
std::string in_short(const RunResult& result) {
  std::string text = name(result.status);
  if (!result.reason.empty()) text += ": " + result.reason;
  if (result.status == Status::compile_error || result.status == Status::unavailable) {
    const std::string messages = terminal::printable(result.compiler_messages);
    return text + (messages.empty() ? "" : "\n" + messages);
  }
  for (const ReportedDiagnostic& each : result.diagnostics) {
    text += fmt::format("; {} {} ({}:{}) in \"{}\"", each.error ? "error" : "note", each.kind,
                        each.file, each.line, each.case_name);
    if (text.size() > 400) break;
  }
  for (const CaseResult& each : result.cases) {
    if (each.status == "passed") continue;
    text += fmt::format("; case \"{}\" {}: {}", each.name, each.status,
                        each.message.substr(0, each.message.find('\n')));
    break;
  }
  return text + fmt::format(" (seed {})", result.seed);
}

Finding judge(const Subject& subject) {
  Finding finding{subject.lesson->directory(), check_name(subject.role), subject.what,
                  Verdict::good, ""};
  const RunResult& result = subject.result;
  const auto bad = [&](const std::string& why) {
    finding.verdict = Verdict::bad;
    finding.detail = why + " (" + in_short(result) + ")";
    return finding;
  };
  switch (subject.role) {
    case Role::reference:
      if (result.status != Status::passed) return bad("the reference does not pass");
      if (!result.diagnostics.empty()) return bad("a check is not silent");
      return finding;
    case Role::fast:
      if (result.needs_gpu) {
        if (subject.needs_gpu.empty()) {
          return bad("what the CPU runtime lacks must be announced by a line `// needs-gpu: 9.0`");
        }
        finding.verdict = Verdict::skipped;
        finding.detail = fmt::format("it needs a GPU of compute capability {}", subject.needs_gpu);
        return finding;
      }
      if (result.status != Status::passed) return bad("the fast kernel does not pass");
      if (!result.diagnostics.empty()) return bad("a check is not silent");
      return finding;
    case Role::variant:
      if (result.status != Status::passed) return bad("a right kernel in another style fails");
      return finding;
    case Role::stub:
      if (result.status != Status::failed) return bad("a stub compiles and fails its cases");
      return finding;
    case Role::impostor:
      if (result.status != Status::failed) return bad("it should fail its cases");
      return finding;
    case Role::mutant:
      break;
  }
  if (result.status == Status::passed) return bad("the mutant passes");
  if (result.status == Status::compile_error || result.status == Status::unavailable) {
    return bad("the mutant could not be graded");
  }
  if (!rejected_as_stated(*subject.mutant, result)) {
    const std::set<std::string> found = reasons(result);
    return bad(
        fmt::format("rejected for {}, its header says {}",
                    found.empty() ? "nothing known" : fmt::format("{}", fmt::join(found, ", ")),
                    fmt::join(subject.mutant->rejected_for, ", ")));
  }
  // A report that names another mistake misleads; one that names none is a pity.
  const auto& known = subject.lesson->mistakes;
  const bool listed = std::any_of(known.begin(), known.end(), [&](const Mistake& each) {
    return each.slug == subject.mutant->mistake;
  });
  const auto shown = std::find_if(result.cases.begin(), result.cases.end(),
                                  [](const CaseResult& each) { return each.status == "failed"; });
  if (listed && shown != result.cases.end() && shown->mistake != subject.mutant->mistake) {
    finding.verdict = shown->mistake.empty() ? Verdict::remark : Verdict::bad;
    finding.detail = shown->mistake.empty()
                         ? "rejected, but its mistake is not named in the report"
                         : fmt::format("the report names the mistake {}", shown->mistake);
  }
  return finding;
}

class Gate {
 public:
  Gate(const Paths& paths, const Course& course, Grading& grading, const GateOptions& options)
      : paths_(paths), course_(course), grading_(grading), options_(options) {}

  Findings operator()(const std::vector<const Lesson*>& lessons) {
    header_ = read_file(paths_.root / "common" / "moe" / "include" / "moe" / "kernels.h");
    for (const Lesson* lesson : lessons) read(*lesson);
    run();
    for (const Subject& subject : subjects_) findings_.push_back(judge(subject));
    if (grading_.backends().front() == Backend::cpu) {
      for (const Lesson* lesson : lessons) {
        check_bench_case(grading_, *lesson, paths_.solutions() / lesson->directory() / "kernel.cu",
                         findings_);
      }
    }
    check_all_formulas(lessons);
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const Finding& a, const Finding& b) { return a.lesson < b.lesson; });
    return std::move(findings_);
  }

 private:
  // What needs no run, and what there is to run.
  void read(const Lesson& lesson) {
    check_documents(paths_, course_, lesson, findings_);
    const fs::path solution = paths_.solutions() / lesson.directory();
    subject(lesson, Role::stub, "", lesson.stub());
    for (int i = 0; i < kReferenceRuns; ++i) {
      Subject& each = subject(lesson, Role::reference, fmt::format("kernel.cu, run {}", i + 1),
                              solution / "kernel.cu");
      if (i > 0) each.schedules = kManySchedules;
    }
    if (const FastKernel fast = fast_kernel(paths_, lesson.directory()); fast.exists) {
      const int runs = fast.needs_gpu.empty() ? kFastRuns : 1;
      for (int i = 0; i < runs; ++i) {
        Subject& each =
            subject(lesson, Role::fast, fmt::format("fast.cu, run {}", i + 1), fast.file);
        each.needs_gpu = fast.needs_gpu;
        if (i > 0) each.schedules = kManySchedules;
      }
    }
    for (const fs::path& file : right_kernels(lesson)) {
      subject(lesson, Role::variant, file.stem().string(), file);
    }
    try {
      for (const Impostor& each : impostors(lesson, header_)) {
        const fs::path file = paths_.state() / "verify" / lesson.directory() / (each.name + ".cu");
        fs::create_directories(file.parent_path());
        std::ofstream(file) << each.source;
        subject(lesson, Role::impostor, each.name, file);
      }
    } catch (const std::runtime_error& error) {
      findings_.push_back({lesson.directory(), "impostor", "", Verdict::bad, error.what()});
    }
    const std::vector<Mutant> mutants =
        read_mutants(paths_.mutants() / lesson.directory(), lesson, findings_);
    check_mutant_names(lesson, mutants, findings_);
    for (const Mutant& each : mutants) {
      // What only the CPU runtime sees may pass on a GPU.
      if (each.cpu_only && grading_.backends().front() == Backend::cuda) {
        findings_.push_back({lesson.directory(), "mutant", each.name, Verdict::skipped,
                             "its fault shows on the CPU backend alone"});
        continue;
      }
      subject(lesson, Role::mutant, each.name, each.file).mutant = each;
    }
  }

  // grader/variants/NNN_slug/*.cu: other ways to do it right, each of which must pass.
  std::vector<fs::path> right_kernels(const Lesson& lesson) const {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(paths_.variants() / lesson.directory(), none)) {
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  Subject& subject(const Lesson& lesson, Role role, std::string what, fs::path file) {
    Subject each;
    each.lesson = &lesson;
    each.role = role;
    each.what = std::move(what);
    each.file = std::move(file);
    each.seed = options_.seed.value_or(fresh_seed());
    subjects_.push_back(std::move(each));
    return subjects_.back();
  }

  void run() {
    std::size_t done = 0;
    for_each_parallel(
        subjects_.size(),
        [&](std::size_t i) {
          Subject& subject = subjects_[i];
          GradeRequest request;
          request.lesson = subject.lesson;
          request.file = subject.file;
          request.seed = subject.seed;
          request.schedules = subject.schedules;
          request.fresh = true;
          request.fast = subject.role == Role::fast;
          // What must fail is known to be legal (every kernel goes through nvcc), and has failed
          // when it has failed for its reason.
          const bool must_fail = subject.role == Role::impostor || subject.role == Role::mutant;
          request.legality = !must_fail;
          if (must_fail || subject.role == Role::stub) {
            request.enough = [&](const RunResult& so_far) {
              return !subject.mutant || rejected_as_stated(*subject.mutant, so_far);
            };
          }
          subject.result = grading_.grade(request).runs.front();
        },
        [&](std::size_t i) {
          ++done;
          if (options_.on_progress) {
            options_.on_progress(
                fmt::format("{} {}", subjects_[i].lesson->directory(), subjects_[i].what), done,
                subjects_.size());
          }
        });
  }

  void check_all_formulas(const std::vector<const Lesson*>& lessons) {
    std::vector<Formula> all;
    const auto add = [&](const std::string& text, const std::string& where) {
      const auto found = formulas(text, where);
      all.insert(all.end(), found.begin(), found.end());
    };
    for (const Lesson* lesson : lessons) {
      add(read_file(lesson->notes_file()), lesson->directory() + "/lesson.md");
      for (const std::string& hint : lesson->hints) add(hint, lesson->directory() + " hint");
      for (const Question& each : lesson->quiz) {
        add(each.question + "\n\n" + each.explain, lesson->directory() + " quiz");
      }
    }
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(paths_.docs(), missing)) {
      if (entry.path().extension() == ".md") {
        add(read_file(entry.path()), "docs/" + entry.path().filename().string());
      }
    }
    const FormulaCheck check = check_formulas(paths_, all);
    if (!check.done) {
      findings_.push_back({"", "formulas", "", Verdict::skipped, check.why_not});
      return;
    }
    for (const std::string& problem : check.problems) {
      findings_.push_back({"", "formulas", "", Verdict::bad, problem});
    }
    if (check.problems.empty()) {
      findings_.push_back(
          {"", "formulas", "", Verdict::good,
           terminal::counted(std::ssize(all), "formula parses", "formulas parse") + " in MathJax"});
    }
  }

  const Paths& paths_;
  const Course& course_;
  Grading& grading_;
  const GateOptions& options_;
  std::string header_;
  Findings findings_;
  std::vector<Subject> subjects_;
};

}  // namespace

Findings verify(const Paths& paths, const Course& course, const std::vector<const Lesson*>& lessons,
                Grading& grading, const GateOptions& options) {
  return Gate(paths, course, grading, options)(lessons);
}

}  // namespace grade

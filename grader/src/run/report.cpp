#include "run/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "run/finding.h"
#include "system/files.h"
#include "terminal/text.h"

namespace grade {
namespace {

namespace fs = std::filesystem;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

constexpr std::size_t kOutputShown = 2000;    // bytes of the program's own output
constexpr std::size_t kDiagnosticsShown = 3;  // in full
constexpr std::size_t kOtherCasesShown = 12;  // one line each

const char* in_words(Backend backend) {
  return backend == Backend::cpu ? "CPU runtime, all checks" : "GPU";
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string rest_of(const std::string& text) {
  const std::size_t end = text.find('\n');
  return end == std::string::npos ? std::string() : text.substr(end + 1);
}

class Reporter {
 public:
  Reporter(Terminal& out, const ReportInput& input) : out_(out), input_(input) {}

  void print() {
    const GradeOutcome& outcome = *input_.outcome;
    out_.paragraph(
        out_.style(Style::bold, fmt::format("{:03}  {}", number(), input_.lesson->title)), 5);
    out_.line("graded: " + out_.path(input_.file.string(), input_.paths->root.string()));
    for (const std::string& remark : outcome.remarks) note(remark);
    for (const RunResult& run : outcome.runs) print_run(run);
  }

 private:
  int number() const { return input_.lesson->number; }

  void note(const std::string& text) {
    out_.paragraph(out_.style(Style::dim, "note: ") + terminal::printable(text), 6);
  }

  void print_run(const RunResult& run) {
    if (!run.compiler_messages.empty()) {
      out_.line();
      out_.print(out_.can().colour ? terminal::with_colours(run.compiler_messages)
                                   : terminal::printable(run.compiler_messages));
      if (run.compiler_messages.back() != '\n') out_.line();
    }
    out_.line();
    if (run.status == Status::compile_error || run.status == Status::unavailable) {
      headline(run, run.status == Status::compile_error ? "DOES NOT COMPILE" : "NOT GRADED",
               run.reason);
      return;
    }
    const auto passed = std::count_if(run.cases.begin(), run.cases.end(),
                                      [](const CaseResult& c) { return c.status == "passed"; });
    const std::string count = fmt::format("{} of {} cases passed", passed, run.cases.size());
    switch (run.status) {
      case Status::passed:
        headline(run, "PASS", count);
        break;
      case Status::failed:
        headline(run, "FAIL", run.reason.empty() ? count : run.reason);
        break;
      case Status::timed_out:
        headline(run, "TIMED OUT", run.reason);
        break;
      default:
        headline(run, "CRASHED", run.reason);
        break;
    }
    if (!run.case_running.empty()) {
      out_.paragraph("in case: " + terminal::printable(run.case_running), 2);
    }
    if (run.status == Status::passed) {
      print_notes(run);
    } else {
      print_failures(run);
    }
    print_output(run);
    print_seed(run);
  }

  void print_notes(const RunResult& run) {
    std::set<std::string> shown;
    for (const ReportedDiagnostic& each : run.diagnostics) {
      if (!each.error && shown.insert(each.message).second) {
        note(each.message + place(each.file, each.line));
      }
    }
    for (const std::string& each : run.notes) {
      if (shown.insert(each).second) note(each);
    }
  }

  void headline(const RunResult& run, const char* word, const std::string& text) {
    const bool good = run.status == Status::passed;
    out_.paragraph(
        fmt::format("{} {}  {}",
                    out_.style(good ? Style::good : Style::bad,
                               out_.symbol(good ? Symbol::passed : Symbol::failed)),
                    out_.style(good ? Style::good : Style::bad, word),
                    terminal::printable(text) +
                        out_.style(Style::dim, fmt::format("  ({})", in_words(run.backend)))),
        2);
  }

  // The first failing case in full, the others a line each.
  void print_failures(const RunResult& run) {
    std::vector<const CaseResult*> failing;
    for (const CaseResult& each : run.cases) {
      if (each.status == "failed") failing.push_back(&each);
    }
    // What the runtime saw of the case that comes first in the report; without one, what it saw.
    std::string subject = failing.empty() ? run.case_running : failing.front()->name;
    if (!failing.empty()) {
      out_.line();
      print_case(*failing.front());
    }
    print_diagnostics(run, subject);
    print_arithmetic(run, subject);
    std::size_t listed = 0;
    for (std::size_t i = 1; i < failing.size(); ++i) {
      if (listed++ == 0) out_.line();
      if (listed > kOtherCasesShown) {
        out_.line(fmt::format("  … and {} more cases", failing.size() - i));
        break;
      }
      const std::string message = first_line(failing[i]->message);
      out_.line(terminal::truncate(
          fmt::format("{} {}{}", out_.style(Style::bad, out_.symbol(Symbol::failed)),
                      terminal::printable(failing[i]->name),
                      message.empty() ? "" : ": " + terminal::printable(message)),
          out_.columns()));
    }
    count_rest(run);
  }

  void count_rest(const RunResult& run) {
    std::map<std::string, int> count;
    for (const CaseResult& each : run.cases) ++count[each.status];
    count_not_run(count["skipped"], "long ones, which wait until the others pass");
    count_not_run(count["not_run"], "the run ended before them");
    if (run.status != Status::failed || !run.reason.empty()) return;
    if (count["passed"] > 0) {
      out_.line(fmt::format("{} passed: {}", out_.style(Style::good, out_.symbol(Symbol::passed)),
                            count["passed"]));
    }
  }

  void count_not_run(int cases, const char* why) {
    if (cases == 0) return;
    out_.paragraph(fmt::format("{} not run: {} ({})", out_.symbol(Symbol::skipped), cases, why), 2);
  }

  void print_case(const CaseResult& each) {
    out_.paragraph(out_.style(Style::bad, out_.symbol(Symbol::failed)) + " " +
                       out_.style(Style::bold, terminal::printable(each.name)),
                   2);
    std::istringstream lines(terminal::printable(each.message));
    for (std::string line; std::getline(lines, line);) out_.paragraph("  " + line, 2);
    if (!each.mistake.empty()) print_mistake(each.mistake);
  }

  void print_mistake(const std::string& slug) {
    const auto& known = input_.lesson->mistakes;
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Mistake& mistake) { return mistake.slug == slug; });
    if (found == known.end()) return;  // the notes have nothing to say of it
    out_.paragraph(
        fmt::format("  {} looks like: {} (`grade show {}`, Mistakes)", out_.symbol(Symbol::hint),
                    out_.style(Style::bold, found->title), number()),
        2);
  }

  std::string place(const std::string& file, int line) const {
    if (line <= 0) return {};
    return fmt::format(" ({}:{})", shown(file), line);
  }

  std::string shown(const std::string& file) const {
    return terminal::printable(input_.paths->shown(absolute(file)));
  }

  // The compiler recorded paths below the root as relative.
  fs::path absolute(const std::string& file) const {
    const fs::path path(file);
    return path.is_absolute() ? path : input_.paths->root / path;
  }

  void print_diagnostics(const RunResult& run, const std::string& subject) {
    std::vector<const ReportedDiagnostic*> first;
    std::vector<const ReportedDiagnostic*> others;
    for (const ReportedDiagnostic& each : run.diagnostics) {
      if (!each.error) continue;
      (each.case_name == subject || subject.empty() ? first : others).push_back(&each);
    }
    if (first.empty()) first.swap(others);
    // The same fault in several cases is one fault.
    std::set<std::string> seen;
    const auto identity = [](const ReportedDiagnostic& d) {
      return fmt::format("{} {} {} {} {}", d.kind, d.file, d.line, d.other_line,
                         d.line > 0 ? "" : d.message);
    };
    std::size_t printed = 0;
    std::size_t left = 0;
    for (const auto* list : {&first, &others}) {
      for (const ReportedDiagnostic* each : *list) {
        if (!seen.insert(identity(*each)).second) continue;
        if (printed == kDiagnosticsShown) {
          ++left;
          continue;
        }
        ++printed;
        print_diagnostic(*each, subject);
      }
    }
    if (left > 0) out_.line(fmt::format("  … and {} more of these reports", left));
  }

  // Not wrong by itself, but where the values are, it may be why: a GPU computes another one.
  void print_arithmetic(const RunResult& run, const std::string& subject) {
    std::set<std::string> shown;
    for (const ReportedDiagnostic& each : run.diagnostics) {
      if (each.error || each.kind != "arithmetic" || each.case_name != subject) continue;
      if (shown.insert(each.message).second) note(each.message + place(each.file, each.line));
    }
  }

  void print_diagnostic(const ReportedDiagnostic& each, const std::string& subject) {
    out_.line();
    const std::string message = terminal::printable(each.message);
    std::string head = first_line(message);
    // The runtime's messages begin with their kind; others are given one.
    if (const std::string kind(kind_at_head(each.kind, head)); !kind.empty()) {
      head = out_.style(Style::bad, kind) + head.substr(kind.size());
    } else {
      head = out_.style(Style::bad, finding_in_words(each.kind)) + ": " + head;
    }
    if (!each.case_name.empty() && each.case_name != subject) {
      head += out_.style(Style::dim, fmt::format("  [{}]", terminal::printable(each.case_name)));
    }
    out_.paragraph(out_.style(Style::bad, out_.symbol(Symbol::warning)) + " " + head, 2);
    std::istringstream lines(rest_of(message));
    for (std::string line; std::getline(lines, line);) out_.paragraph("  " + line);
    quote(each.file, each.line, message);
    if (each.other_line > 0 && (each.other_line != each.line || each.other_file != each.file)) {
      quote(each.other_file.empty() ? each.file : each.other_file, each.other_line, message);
    }
  }

  // "lessons/001_matmul_nn/kernel.cu:23" and the line itself, unless the message has it already.
  void quote(const std::string& file, int line, const std::string& message) {
    if (line <= 0 || file.empty()) return;
    out_.line(fmt::format("  {}:{}",
                          out_.path(absolute(file).string(), input_.paths->root.string()), line));
    std::error_code ignored;  // a #line may name anything
    if (!fs::is_regular_file(absolute(file), ignored)) return;
    const auto content = read_file_if_there(absolute(file));
    if (!content) return;
    std::istringstream lines(*content);
    std::string text;
    for (int i = 0; i < line; ++i) {
      if (!std::getline(lines, text)) return;
    }
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string::npos) return;
    const std::string code = text.substr(start, text.find_last_not_of(" \t\r") + 1 - start);
    if (message.find(code) != std::string::npos) return;
    out_.line(terminal::truncate(
        fmt::format("  {:>5} | {}", line, out_.style(Style::code, terminal::printable(code))),
        out_.columns()));
  }

  void print_output(const RunResult& run) {
    if (run.output.empty()) return;
    out_.line();
    out_.line(out_.style(Style::dim, "what the program printed:"));
    std::string text = terminal::printable(run.output.substr(0, kOutputShown));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      for (const std::string& part : terminal::wrap(line, out_.columns() - 4)) {
        out_.line(out_.style(Style::dim, "  | ") + part);
      }
    }
    if (run.output_cut || run.output.size() > kOutputShown) {
      out_.line(out_.style(Style::dim, "  | … and more"));
    }
  }

  void print_seed(const RunResult& run) {
    const std::string again = fmt::format("{} --seed {}", input_.replay, run.seed);
    if (run.cached) {
      out_.paragraph(
          out_.style(Style::dim, fmt::format("unchanged since it was graded with seed {}: this is "
                                             "that verdict (--fresh grades anew)",
                                             run.seed)));
    } else {
      const std::string lead = fmt::format("seed {}; the same inputs again:", run.seed);
      if (terminal::width(lead) + 1 + terminal::width(again) <= std::min(out_.columns(), 80)) {
        return out_.line(out_.style(Style::dim, lead + " " + again));
      }
      out_.paragraph(out_.style(Style::dim, lead));
      out_.line(out_.style(Style::dim, "  " + again));  // broken, it would be two commands
    }
  }

  Terminal& out_;
  const ReportInput& input_;
};

}  // namespace

void print_report(Terminal& out, const ReportInput& input) {
  Reporter(out, input).print();
}

}  // namespace grade

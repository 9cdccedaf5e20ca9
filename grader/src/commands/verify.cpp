// `grade verify`: the authors' gate.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "cli/command.h"
#include "course/course.h"
#include "run/grading.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "verify/findings_json.h"
#include "verify/gate.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Symbol;

class VerifyCommand final : public Command {
 public:
  const char* name() const override { return "verify"; }
  const char* summary() const override {
    return "The authors' gate: graders reject every mutant, references pass, texts are complete";
  }
  int order() const override { return 90; }

  void configure(Options& options) override {
    options.arguments("LESSON", lessons_, "Lessons to look at; all when none is given");
    options.choice("--backend", backend_, {"cpu", "cuda"}, "cpu (default) or cuda");
    options.option("--seed", seed_, "N", "The seed of every run, to repeat an earlier gate");
    options.flag("--verbose", verbose_, "Print what is good, too");
    options.flag("--json", json_, "Print one JSON object and nothing else");
  }

  Exit run(Context& context) override {
    const Course& course = context.course();
    std::vector<const Lesson*> lessons;
    for (const std::string& each : lessons_) lessons.push_back(&course.find(each));
    if (lessons.empty() && !course.broken.empty()) {
      throw Error(Exit::failed, course.broken.front().what, course.broken.front().next);
    }
    if (lessons.empty()) {
      for (const Lesson& each : course.lessons) lessons.push_back(&each);
    }
    const auto start = std::chrono::steady_clock::now();
    Grading grading(context.paths(), course, backend_choice(backend_));
    grading.prepare(lessons);
    grading.prepare_fast(lessons);
    GateOptions options;
    options.seed = seed_;
    Findings findings;
    {
      terminal::StatusLine status;
      options.on_progress = [&](const std::string& what, std::size_t done, std::size_t of) {
        status.show(what, done, of);
      };
      findings = verify(context.paths(), course, lessons, grading, options);
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const bool good = std::none_of(findings.begin(), findings.end(), [](const Finding& each) {
      return each.verdict == Verdict::bad;
    });
    if (json_) {
      terminal::out().line(findings_json(findings, seconds));
    } else {
      print(lessons, findings, seconds);
    }
    return good ? Exit::passed : Exit::failed;
  }

 private:
  struct Count {
    int good = 0;
    int all = 0;
  };

  void print(const std::vector<const Lesson*>& lessons, const Findings& findings,
             double seconds) const {
    terminal::Terminal& out = terminal::out();
    std::map<std::string, std::map<std::string, Count>> table;  // lesson, column
    for (const Finding& each : findings) {
      Count& count = table[each.lesson][column(each.check)];
      if (each.verdict == Verdict::skipped) continue;
      ++count.all;
      if (each.verdict != Verdict::bad) ++count.good;
    }
    static constexpr const char* kColumns[] = {"texts", "stub",    "impostor", "reference",
                                               "fast",  "variant", "mutant"};
    std::string head = terminal::pad_right("lesson", 32);
    for (const char* each : kColumns) head += terminal::pad_left(each, 10);
    out.line(out.style(Style::bold, head));
    for (const Lesson* lesson : lessons) {
      std::string line = terminal::pad_right(terminal::truncate(lesson->directory(), 31), 32);
      for (const char* each : kColumns) {
        const Count count = table[lesson->directory()][each];
        const std::string cell =
            terminal::pad_left(fmt::format("{}/{}", count.good, count.all), 10);
        line += out.style(count.good == count.all ? Style::good : Style::bad, cell);
      }
      out.line(line);
    }
    list(findings, Verdict::bad, Symbol::failed, Style::bad);
    list(findings, Verdict::skipped, Symbol::skipped, Style::warning);
    list(findings, Verdict::remark, Symbol::bullet, Style::dim);
    if (verbose_) list(findings, Verdict::good, Symbol::passed, Style::good);
    const auto count = [&](Verdict verdict) {
      return std::count_if(findings.begin(), findings.end(),
                           [&](const Finding& each) { return each.verdict == verdict; });
    };
    out.line();
    out.line(fmt::format("{} checks in {:.0f} s: {} bad, {} skipped, {} remarks", findings.size(),
                         seconds, count(Verdict::bad), count(Verdict::skipped),
                         count(Verdict::remark)));
  }

  static std::string column(const std::string& check) {
    for (const char* each : {"stub", "impostor", "reference", "fast", "variant", "mutant"}) {
      if (check == each) return each;
    }
    return "texts";
  }

  static void list(const Findings& findings, Verdict verdict, Symbol symbol, Style style) {
    terminal::Terminal& out = terminal::out();
    bool first = true;
    for (const Finding& each : findings) {
      if (each.verdict != verdict) continue;
      if (first) out.line();
      first = false;
      std::string text = out.style(style, out.symbol(symbol)) + " ";
      if (!each.lesson.empty()) text += each.lesson + ", ";
      text += each.check;
      if (!each.what.empty()) text += " " + each.what;
      if (!each.detail.empty()) text += ": " + terminal::printable(each.detail);
      out.paragraph(text, 2);
    }
  }

  std::vector<std::string> lessons_;
  std::string backend_ = "cpu";
  std::optional<std::uint64_t> seed_;
  bool verbose_ = false;
  bool json_ = false;
};

const Registration<VerifyCommand> verify_command;

}  // namespace
}  // namespace grade

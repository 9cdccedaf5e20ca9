// `grade progress`: XP, streak, attempts and time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "system/clock.h"
#include "system/paths.h"
#include "terminal/terminal.h"
#include "terminal/text.h"
#include "timing/timing.h"

namespace grade {
namespace {

using terminal::pad_left;
using terminal::pad_right;
using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class ProgressCommand final : public Command {
 public:
  const char* name() const override { return "progress"; }
  const char* summary() const override { return "XP, streak, attempts and time"; }
  int order() const override { return 20; }
  void configure(Options& /*options*/) override {}

  Exit run(Context& context) override {
    const Course& course = context.course();
    const Progress progress = context.progress().read();
    Terminal& out = terminal::out();

    int attempts = 0;
    int passed = 0;
    std::int64_t seconds = 0;
    for (const Lesson& lesson : course.lessons) {
      const LessonProgress state = progress.lesson(lesson.directory());
      attempts += state.attempts;
      passed += state.passed() ? 1 : 0;
      seconds += state.seconds;
    }
    const int earned = xp(course, progress);
    const auto fact = [&](const std::string& name, const std::string& text) {
      out.paragraph(pad_right(name, 10) + text, 10);
    };
    fact("XP",
         fmt::format("{} {} of {}", out.bar(static_cast<double>(earned) / course.total_xp(), 20),
                     earned, course.total_xp()));
    fact("Lessons", fmt::format("{} of {}", passed, course.lesson_count()));
    fact("Attempts", std::to_string(attempts));
    fact("Time", duration(seconds) + " (pauses over 20 minutes are left out)");
    const int days = streak(progress);
    fact("Streak",
         days == 0 ? "none yet today or yesterday" : terminal::counted(days, "day", "days"));
    const std::string days_shown = two_weeks(progress, out);
    if (!days_shown.empty()) fact("14 days", days_shown);
    fact("File", out.path(context.progress().file().string(), context.paths().root.string()));

    print_lessons(course, progress, out);
    print_best_times(course, progress, out);
    return Exit::passed;
  }

 private:
  // Attempts of each of the last fourteen days, today at the right; empty when there are none.
  static std::string two_weeks(const Progress& progress, const Terminal& out) {
    static constexpr std::array blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::vector<Day> days = progress.days();
    constexpr std::int64_t day_length = 24 * 60 * 60;
    std::array<int, 14> counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::string name =
          local_day(now_seconds() - day_length * static_cast<std::int64_t>(counts.size() - 1 - i));
      for (const Day& day : days) {
        if (day.day == name) counts[i] = day.attempts;
      }
    }
    const int most = *std::max_element(counts.begin(), counts.end());
    if (most == 0) return {};
    std::string text;
    for (const int count : counts) {
      if (count == 0) {
        text += out.style(Style::dim, out.symbol(Symbol::todo));
      } else if (out.can().unicode) {
        text += blocks[static_cast<std::size_t>((count * 8 - 1) / most)];
      } else {
        text += count > 9 ? "+" : std::to_string(count);
      }
    }
    return text + fmt::format("  at most {} a day", terminal::counted(most, "attempt", "attempts"));
  }

  static void print_lessons(const Course& course, const Progress& progress, Terminal& out) {
    bool first = true;
    for (const Lesson& lesson : course.lessons) {
      const LessonProgress state = progress.lesson(lesson.directory());
      if (!state.touched()) continue;
      if (first) out.line();
      first = false;
      std::vector<std::string> facts;
      facts.push_back(state.attempts == 0
                          ? "not run yet"
                          : terminal::counted(state.attempts, "attempt", "attempts"));
      if (state.first_pass) {
        const auto time = parse_utc_time(state.first_pass->time);
        facts.push_back("passed " + (time ? local_day(*time) : state.first_pass->time));
        facts.push_back(state.first_pass->backend);
      } else if (!state.last_status.empty()) {
        facts.push_back("last: " + said(state.last_status));
      }
      if (const int hints = static_cast<int>(state.hints.size()); hints > 0) {
        facts.push_back(terminal::counted(hints, "hint", "hints"));
      }
      if (state.spoiled) facts.emplace_back("spoiled");
      if (!state.quiz.empty()) {
        const auto right = std::count_if(state.quiz.begin(), state.quiz.end(),
                                         [](const auto& entry) { return entry.second.correct; });
        facts.push_back(fmt::format("quiz {}/{}", right, lesson.quiz.size()));
      }
      if (state.seconds > 0) facts.push_back(duration(state.seconds));
      const std::string mark = state.passed() ? out.style(Style::good, out.symbol(Symbol::passed))
                                              : out.style(Style::dim, out.symbol(Symbol::skipped));
      const std::string name = out.columns() < 60 ? lesson.slug : pad_right(lesson.slug, 25);
      for (const std::string& line : terminal::wrap(
               fmt::format("{} {:03}  {}  {}", mark, lesson.number, name, fmt::join(facts, ", ")),
               out.columns(), 7)) {
        out.line(line);
      }
    }
  }

  // What `grade bench` measured, a device after the other.
  static void print_best_times(const Course& course, const Progress& progress, Terminal& out) {
    std::map<std::string, std::vector<std::string>> devices;
    for (const Lesson& lesson : course.lessons) {
      for (const BestTime& best : progress.best_times(lesson.directory())) {
        std::vector<std::string> facts;
        facts.push_back(seconds_in_words(best.seconds, out.can().unicode));
        if (best.reference_seconds > 0 && best.seconds > 0) {
          facts.push_back(fmt::format("{:.2f} times as fast as the reference",
                                      best.reference_seconds / best.seconds));
        }
        if (best.of_roofline > 0) {
          facts.push_back(fmt::format("{:.0f} % of the roofline", 100 * best.of_roofline));
        }
        devices[best.device].push_back(fmt::format("  {:03}  {}: {}", lesson.number,
                                                   terminal::printable(best.shape),
                                                   fmt::join(facts, ", ")));
      }
    }
    for (const auto& [device, lines] : devices) {
      out.line();
      out.line(out.style(Style::bold, "Best times on " + terminal::printable(device)));
      for (const std::string& line : lines) {
        for (const std::string& part : terminal::wrap(line, out.columns(), 7)) out.line(part);
      }
    }
  }

  static std::string said(std::string status) {
    std::replace(status.begin(), status.end(), '_', ' ');
    return status;
  }
};

const Registration<ProgressCommand> progress_command;

}  // namespace
}  // namespace grade

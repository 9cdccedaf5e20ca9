#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "site/charts.h"
#include "site/draft.h"
#include "site/html.h"
#include "site/pages.h"
#include "site/state.h"
#include "system/clock.h"
#include "system/files.h"
#include "terminal/text.h"
#include "timing/timing.h"

namespace grade::site {
namespace {

constexpr int kDaysShown = 28;

class ProgressPage {
 public:
  ProgressPage(Book& book, const Progress& progress)
      : book_(book), progress_(progress), draft_(book, "progress.html") {}

  std::string html() {
    const std::string main =
        "<header class=\"head\"><h1>Progress</h1></header>\n<div data-live=\"progress\">\n" +
        facts() + earned() + days() + training() + lessons() + best_times() + "</div>\n";
    Draft::Frame frame;
    frame.title = "Progress";
    frame.section = "progress";
    frame.body_class = "progress-page";
    if (const Lesson* next = next_lesson(book_.course, progress_)) frame.next = lesson_path(*next);
    return draft_.finish(frame, main);
  }

 private:
  static std::string section(const char* id, const char* title, const std::string& content) {
    return fmt::format(
        "<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n", id, title,
        content);
  }

  std::string facts() const {
    int attempts = 0;
    std::int64_t seconds = 0;
    for (const Lesson& lesson : book_.course.lessons) {
      const LessonProgress state = progress_.lesson(lesson.directory());
      attempts += state.attempts;
      seconds += state.seconds;
    }
    const int all = book_.course.lesson_count();
    const int passed = passed_in(book_.course, progress_, 1, all);
    const auto fact = [](const std::string& value, const std::string& name) {
      return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
    };
    const int in_a_row = streak(progress_);
    return "<dl class=\"facts\">" +
           fact(std::to_string(xp(book_.course, progress_)),
                fmt::format("of {} XP", book_.course.total_xp())) +
           fact(std::to_string(passed), fmt::format("of {} lessons", all)) +
           fact(std::to_string(attempts), attempts == 1 ? "attempt" : "attempts") +
           fact(std::to_string(in_a_row), in_a_row == 1 ? "day in a row" : "days in a row") +
           fact(seconds == 0 ? "–" : duration(seconds), "spent") + "</dl>\n" +
           bar(passed, all, "Lessons complete");
  }

  std::string earned() const {
    std::vector<XpPoint> points;
    for (const Lesson& lesson : book_.course.lessons) {
      const LessonProgress state = progress_.lesson(lesson.directory());
      if (!state.first_pass) continue;
      if (const auto time = parse_utc_time(state.first_pass->time)) {
        points.push_back({*time, lesson.xp});
      }
    }
    std::sort(points.begin(), points.end(),
              [](const XpPoint& a, const XpPoint& b) { return a.time < b.time; });
    int sum = 0;
    for (XpPoint& each : points) each.xp = sum += each.xp;
    if (points.empty()) {
      return section("xp", "XP over time",
                     "<p>The first lesson that passes begins the line: <code "
                     "data-copy>./grade 1</code></p>\n");
    }
    return section(
        "xp", "XP over time",
        "<figure>" + xp_chart(points, book_.course.total_xp(), now_seconds()) + "</figure>\n");
  }

  std::string days() const {
    constexpr std::int64_t day_length = 24 * 60 * 60;
    const std::vector<Day> known = progress_.days();
    std::vector<DayBar> bars;
    bool any = false;
    for (int back = kDaysShown - 1; back >= 0; --back) {
      DayBar bar{local_day(now_seconds() - back * day_length), 0, 0};
      for (const Day& each : known) {
        if (each.day != bar.day) continue;
        bar.attempts = each.attempts;
        bar.passed = each.passed;
        any = any || each.attempts > 0;
      }
      bars.push_back(std::move(bar));
    }
    if (!any) return {};
    return section("days", "Attempts a day",
                   "<figure>" + days_chart(bars) +
                       "<figcaption>Each bar is a day's graded runs; the solid part, lessons "
                       "passed for the first time.</figcaption></figure>\n");
  }

  std::string training() const {
    std::string content;
    if (const auto completion = progress_.completion()) {
      content += fmt::format(
          "<p>Complete on {}: your own layer, all {} kernels, went from a loss of {:.4g} to {:.4g} "
          "in {}.</p>\n",
          escaped(completion->time.substr(0, 10)), book_.course.lesson_count(),
          completion->first_loss, completion->last_loss,
          terminal::counted(completion->steps, "step", "steps"));
    }
    const auto svg = read_file_if_there(book_.paths.root / "training" / "training.svg");
    if (svg) content += "<figure>" + inlined_svg(*svg) + "</figure>\n";
    if (content.empty()) return {};
    return section("training", "The last training run", content);
  }

  std::string lessons() const {
    std::string rows;
    for (const Lesson& lesson : book_.course.lessons) {
      const LessonProgress state = progress_.lesson(lesson.directory());
      if (state.touched() || progress_.benchmark(lesson.directory())) rows += row(lesson, state);
    }
    if (rows.empty()) return {};
    return section("lessons", "Lessons",
                   "<div class=\"table\"><table>\n<thead><tr><th scope=\"col\">Lesson</th><th "
                   "scope=\"col\">State</th><th scope=\"col\" class=\"right\">Attempts</th><th "
                   "scope=\"col\" class=\"right\">Hints</th><th scope=\"col\" "
                   "class=\"right\">Quiz</th><th scope=\"col\">Bench</th>"
                   "<th scope=\"col\">Last run</th></tr></thead>\n<tbody>\n" +
                       rows + "</tbody>\n</table></div>\n");
  }

  std::string row(const Lesson& lesson, const LessonProgress& state) const {
    const auto right = std::count_if(state.quiz.begin(), state.quiz.end(),
                                     [](const auto& each) { return each.second.correct; });
    const State shown = state_of(lesson, progress_, nullptr);
    return fmt::format(
        "<tr><th scope=\"row\"><a href=\"{}\"><span class=\"number\">{:03}</span> {}</a></th><td "
        "class=\"state\">{}{}{}</td><td class=\"right\">{}</td><td class=\"right\">{}</td><td "
        "class=\"right\">{}</td><td>{}</td><td>{}</td></tr>\n",
        draft_.href(lesson_path(lesson)), lesson.number, escaped(lesson.title), state_mark(shown),
        shown.words, state.spoiled ? ", reference seen" : "", state.attempts, state.hints.size(),
        state.quiz.empty() ? "–" : fmt::format("{}/{}", right, lesson.quiz.size()),
        benchmark(lesson), state.last_time.empty() ? "–" : shown_time(state.last_time));
  }

  std::string benchmark(const Lesson& lesson) const {
    const auto text = progress_.benchmark(lesson.directory());
    const auto best = nlohmann::json::parse(text.value_or(""), nullptr, false);
    if (!best.is_object()) return "–";
    const auto number = [&](const char* name, const char* one, const char* many) {
      const auto found = best.find(name);
      if (found == best.end() || !found->is_number()) return fmt::format("– {}", many);
      const double value = found->get<double>();
      return fmt::format("{} {}", terminal::grouped(value), value == 1 ? one : many);
    };
    const auto shape = best.find("shape");
    return fmt::format(
        "{}, {} <small>{}</small>", number("bytes_moved", "byte moved", "bytes moved"),
        number("requests", "request", "requests"),
        shape != best.end() && shape->is_string() ? escaped(shape->get<std::string>())
                                                  : std::string());
  }

  // What `grade bench` measured, by device.
  std::string best_times() const {
    std::map<std::string, std::string> devices;
    for (const Lesson& lesson : book_.course.lessons) {
      for (const BestTime& best : progress_.best_times(lesson.directory())) {
        const bool compared = best.reference_seconds > 0 && best.seconds > 0;
        devices[best.device] += fmt::format(
            "<tr><th scope=\"row\"><a href=\"{}\"><span class=\"number\">{:03}</span> {}</a></th>"
            "<td>{}</td><td class=\"right\">{}</td><td class=\"right\">{}</td><td "
            "class=\"right\">{}</td></tr>\n",
            draft_.href(lesson_path(lesson)), lesson.number, escaped(lesson.title),
            escaped(best.shape), seconds_in_words(best.seconds),
            compared ? fmt::format("{:.2f}", best.reference_seconds / best.seconds) : "–",
            best.of_roofline > 0 ? fmt::format("{:.0f} %", 100 * best.of_roofline) : "–");
      }
    }
    if (devices.empty()) return {};
    std::string content =
        "<p>The best times of your own kernels: what <code>./grade bench</code> measured, how many "
        "times as fast as the reference that is, and the part of the roofline of the same run that "
        "it reaches.</p>\n";
    for (const auto& [device, rows] : devices) {
      content += fmt::format(
          "<h3>{}</h3>\n<div class=\"table\"><table>\n<thead><tr><th scope=\"col\">Lesson</th><th "
          "scope=\"col\">Sizes</th><th scope=\"col\" class=\"right\">Time</th><th scope=\"col\" "
          "class=\"right\">Reference</th><th scope=\"col\" "
          "class=\"right\">Roofline</th></tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
          escaped(device), rows);
    }
    return section("times", "Bench results", content);
  }

  Book& book_;
  const Progress& progress_;
  Draft draft_;
};

}  // namespace

std::string progress_page(Book& book, const Progress& progress) {
  return ProgressPage(book, progress).html();
}

}  // namespace grade::site

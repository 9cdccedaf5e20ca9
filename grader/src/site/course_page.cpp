#include <fmt/format.h>

#include "site/draft.h"
#include "site/html.h"
#include "site/pages.h"
#include "site/state.h"
#include "terminal/text.h"

namespace grade::site {
namespace {

class CoursePage {
 public:
  CoursePage(Book& book, const Progress& progress)
      : book_(book),
        course_(book.course),
        progress_(progress),
        next_(next_lesson(book.course, progress)),
        draft_(book, "index.html") {}

  std::string html() {
    std::string main = hero();
    for (const Part& part : course_.parts) main += part_section(part);
    Draft::Frame frame;
    frame.section = "course";
    frame.rail = rail();
    frame.body_class = "course";
    if (next_ != nullptr) frame.next = lesson_path(*next_);
    return draft_.finish(frame, main);
  }

 private:
  bool shows_progress() const { return book_.options.progress; }

  std::string hero() {
    const auto fact = [](const std::string& value, const char* name) {
      return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
    };
    std::string html = fmt::format(
        "<div class=\"hero\">\n<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<dl class=\"facts\">{}{}{}{}"
        "</dl>\n<p class=\"note\">No chapter is compressed: every step is its own lesson.</p>\n",
        escaped(course_.title), escaped(course_.line),
        fact(std::to_string(course_.parts.size()), "parts"),
        fact(std::to_string(course_.lesson_count()), "lessons"),
        fact(fmt::format("{:g}", course_.hours), "hours"),
        fact(std::to_string(course_.total_xp()), "XP"));
    if (shows_progress()) html += summary();
    return html + actions() + "</div>\n";
  }

  std::string summary() const {
    const int all = course_.lesson_count();
    const int passed = passed_in(course_, progress_, 1, all);
    int minutes = 0;
    for (const Lesson& lesson : course_.lessons) {
      if (!progress_.passed(lesson.directory())) minutes += lesson.minutes;
    }
    std::string facts = fmt::format("<strong>{} of {} complete</strong><span>{} of {} XP</span>",
                                    passed, all, xp(course_, progress_), course_.total_xp());
    if (minutes > 0) facts += fmt::format("<span>{:.1f} hours left</span>", minutes / 60.0);
    const int days = streak(progress_);
    if (days > 1) facts += fmt::format("<span>{} days in a row</span>", days);
    return fmt::format(
        "<div class=\"summary\" data-live=\"summary\"><p class=\"percent\">{:.0f}<small>%</small>"
        "</p><div>{}<p class=\"tally\">{}</p></div></div>\n",
        100.0 * passed / all, bar(passed, all, "Lessons complete"), facts);
  }

  std::string actions() const {
    const bool begun = next_ != nullptr && next_->number > 1;
    std::string html = "<p class=\"actions\" data-live=\"actions\">";
    if (next_ != nullptr && shows_progress()) {
      html += fmt::format("<a class=\"button\" href=\"{}\">{} <span>{:03}</span> {}</a>",
                          draft_.href(lesson_path(*next_)),
                          begun ? "Go on:" : "Begin:", next_->number, escaped(next_->title));
    }
    for (const DocPage& doc : book_.docs) {
      if (begun || doc.path != "docs/start.html") continue;
      html +=
          fmt::format("<a class=\"quiet\" href=\"{}\">{}: what lesson 001 takes for granted</a>",
                      draft_.href(doc.path), escaped(doc.title));
    }
    return html + "</p>\n";
  }

  std::string part_section(const Part& part) {
    const int passed = passed_in(course_, progress_, part.first, part.last);
    std::string html = fmt::format(
        "<section class=\"part\" id=\"part-{0}\" aria-labelledby=\"part-{0}-title\">\n<header>"
        "<p class=\"eyebrow\">Part {0}</p>\n<h2 id=\"part-{0}-title\">{1}</h2>\n",
        part.number, escaped(part.title));
    html += tally(part, passed);
    html += fmt::format("<p class=\"about\">{}</p></header>\n<ol class=\"lessons\">\n",
                        escaped(part.about));
    for (int number = part.first; number <= part.last; ++number) {
      const Lesson* lesson = course_.by_number(number);
      html += lesson == nullptr ? missing(number) : row(*lesson);
    }
    return html + "</ol>\n</section>\n";
  }

  std::string tally(const Part& part, int passed) const {
    if (!shows_progress())
      return fmt::format("<p class=\"tally\">{}</p>\n",
                         terminal::counted(part.count(), "lesson", "lessons"));
    return fmt::format("<p class=\"tally\" data-live=\"part-{}\">{}<span>{}/{}</span></p>\n",
                       part.number, bar(passed, part.count(), part.title), passed, part.count());
  }

  std::string row(const Lesson& lesson) const {
    const State state = state_of(lesson, progress_, next_);
    return fmt::format(
        "<li class=\"{0}\" data-live=\"lesson-{1}\"><a href=\"{2}\"><span class=\"number\">{1}"
        "</span><span class=\"name\">{3}<small>{4}</small></span></a>{5}<span class=\"xp\">+{6} XP"
        "</span>{7}</li>\n",
        shows_progress() ? state.name : "open", fmt::format("{:03}", lesson.number),
        draft_.href(lesson_path(lesson)), escaped(lesson.title), escaped(lesson.step),
        effort_marks(lesson.effort), lesson.xp, shows_progress() ? state_mark(state) : "");
  }

  static std::string missing(int number) {
    return fmt::format(
        "<li class=\"missing\"><span class=\"number\">{:03}</span><span class=\"name\">not in this "
        "copy</span></li>\n",
        number);
  }

  std::string rail() const {
    std::string html = "<nav class=\"rail\" aria-label=\"Parts\">\n<p>Parts</p>\n<ol>\n";
    for (const Part& part : course_.parts) {
      html += fmt::format("<li><a href=\"#part-{0}\"><span class=\"number\">{0}</span>{1}",
                          part.number, escaped(part.title));
      if (shows_progress()) {
        html += fmt::format("<span class=\"share\" data-live=\"rail-{}\">{}/{}</span>", part.number,
                            passed_in(course_, progress_, part.first, part.last), part.count());
      }
      html += "</a></li>\n";
    }
    return html + "</ol>\n</nav>\n";
  }

  Book& book_;
  const Course& course_;
  const Progress& progress_;
  const Lesson* next_;
  Draft draft_;
};

}  // namespace

std::string course_page(Book& book, const Progress& progress) {
  return CoursePage(book, progress).html();
}

}  // namespace grade::site

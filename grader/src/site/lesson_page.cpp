#include <fmt/format.h>

#include <algorithm>

#include "render/markdown.h"
#include "run/last_run.h"
#include "site/draft.h"
#include "site/html.h"
#include "site/last_run_view.h"
#include "site/pages.h"
#include "site/quiz_html.h"
#include "site/state.h"

namespace grade::site {
namespace {

class LessonPage {
 public:
  LessonPage(Book& book, const Lesson& lesson, const Progress& progress)
      : book_(book),
        lesson_(lesson),
        progress_(progress),
        next_(next_lesson(book.course, progress)),
        draft_(book, lesson_path(lesson), lesson.notes_file()),
        sections_(split_sections(book.notes(lesson))) {
    for (const Mistake& each : lesson.mistakes) {
      draft_.page().heading_ids[each.title] = "mistake-" + each.slug;
    }
  }

  std::string html() {
    std::string main = head() + commands() + last();
    for (const Section& section : sections_) main += section_html(section);
    main += turn();
    Draft::Frame frame;
    frame.title = fmt::format("{:03} {}", lesson_.number, lesson_.title);
    frame.section = "course";
    frame.rail = rail();
    frame.body_class = "lesson";
    if (const Lesson* lesson = neighbour(-1)) frame.previous = lesson_path(*lesson);
    if (const Lesson* lesson = neighbour(1)) frame.next = lesson_path(*lesson);
    return draft_.finish(frame, main);
  }

 private:
  const Lesson* neighbour(int step) const { return book_.course.by_number(lesson_.number + step); }

  std::string title_link(const Lesson& lesson) const {
    return fmt::format("<a href=\"{}\"><span class=\"number\">{:03}</span> {}</a>",
                       draft_.href(lesson_path(lesson)), lesson.number, escaped(lesson.title));
  }

  std::string head() {
    const Part* part = book_.course.part_of(lesson_.number);
    std::string html = "<header class=\"head\">\n<p class=\"eyebrow\">";
    if (part != nullptr) {
      html += fmt::format("<a href=\"{}#part-{}\">Part {}: {}</a>", draft_.href("index.html"),
                          part->number, part->number, escaped(part->title));
    }
    html += fmt::format(
        "</p>\n<h1><span class=\"number\">{:03}</span> {}</h1>\n<p class=\"meta\"><code>{}</code>"
        "<span>{} min</span>{}<span>{} XP</span>{}</p>\n",
        lesson_.number, draft_.in_line(lesson_.title), escaped(lesson_.slug), lesson_.minutes,
        effort_marks(lesson_.effort), lesson_.xp, state());
    html += "<dl class=\"new\">\n";
    const auto fact = [&](const char* name, const std::string& value) {
      if (!value.empty()) html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
    };
    fact("CUDA", draft_.in_line(lesson_.introduces_cuda));
    fact("Mathematics", draft_.in_line(lesson_.introduces_math));
    std::string earlier;
    for (const int number : lesson_.prerequisites) {
      const Lesson* each = book_.course.by_number(number);
      if (each == nullptr) continue;
      earlier +=
          fmt::format("{}<a href=\"{}\">{:03} <code>{}</code></a>", earlier.empty() ? "" : ", ",
                      draft_.href(lesson_path(*each)), number, escaped(each->slug));
    }
    fact("Builds on", earlier);
    return html + "</dl>\n</header>\n";
  }

  std::string state() const {
    if (!book_.options.progress) return {};
    const State state = state_of(lesson_, progress_, next_);
    return fmt::format("<span class=\"state {0}\" data-live=\"state\">{1}{2}</span>", state.name,
                       state_mark(state), state.words);
  }

  std::string commands() {
    const auto command = [](const std::string& text, const char* what) {
      return fmt::format("<div><dt>{}</dt><dd><code data-copy>{}</code></dd></div>\n", what,
                         escaped(text));
    };
    std::string html = "<div class=\"workbench\">\n";
    if (const Declaration* declaration = book_.declaration(lesson_)) {
      html +=
          "<pre class=\"cpp signature\"><code>" + draft_.cpp(declaration->text) + "</code></pre>\n";
    }
    return html + "<dl class=\"commands\">\n" +
           command("lessons/" + lesson_.directory() + "/kernel.cu", "Edit") +
           command(fmt::format("./grade {}", lesson_.number), "Grade") +
           command(fmt::format("./grade watch {}", lesson_.number), "On each save") +
           command(fmt::format("./grade bench {}", lesson_.number), "What it costs") +
           "</dl>\n</div>\n";
  }

  // Its place is there before the first run, so that a live page can fill it.
  std::string last() {
    if (!book_.options.progress) return {};
    std::string view;
    if (const auto report = last_run(book_.paths, lesson_.directory())) {
      view = last_run_html(*report, lesson_, draft_.page().link_of_name);
    }
    std::string facts;
    const LessonProgress state = progress_.lesson(lesson_.directory());
    if (state.attempts > 0) {
      facts = "<p class=\"note\">" + count_of(state.attempts, "attempt", "attempts");
      if (state.first_pass) {
        facts += ", first passed " + escaped(shown_time(state.first_pass->time));
      }
      facts += state.spoiled ? ", after a look at the reference</p>\n" : "</p>\n";
    }
    if (view.empty() && facts.empty()) {
      return "<section class=\"last\" data-live=\"last\" aria-label=\"Last run\" "
             "hidden></section>\n";
    }
    return "<section class=\"last\" data-live=\"last\" aria-labelledby=\"last-run\">\n<h2 "
           "id=\"last-run\">Last run</h2>\n" +
           view + facts + "</section>\n";
  }

  std::string section_html(const Section& section) {
    const std::string id = id_of(section.title);
    std::string text = draft_.markdown(section.text);
    if (section.title == "Implementation") text += hints();
    if (section.title == "Checkpoint") {
      // After the sentence that announces them; what closes the lesson stays at its end.
      constexpr std::string_view paragraph_end = "</p>\n";
      const std::size_t at = text.find(paragraph_end);
      text.insert(
          at == std::string::npos ? text.size() : at + paragraph_end.size(),
          quiz_html(draft_, lesson_, progress_.lesson(lesson_.directory()), !book_.options.live));
    }
    return fmt::format(
        "<section id=\"{0}\" class=\"part-of-notes\" aria-labelledby=\"{0}-title\">\n<h2 "
        "id=\"{0}-title\">{1}<a class=\"anchor\" href=\"#{0}\" tabindex=\"-1\" "
        "aria-hidden=\"true\"></a></h2>\n{2}</section>\n",
        id, escaped(section.title), text);
  }

  // Each rung lies inside the one before: they can only be opened one by one.
  std::string hints() {
    std::string html;
    const std::size_t count = lesson_.hints.size();
    for (std::size_t i = count; i-- > 0;) {
      html = fmt::format(
          "<details class=\"hint\" data-rung=\"{}\"><summary>{}</summary>\n<div>{}{}</div>"
          "</details>\n",
          i + 1,
          i == 0 ? fmt::format("Stuck? Hint 1 of {}", count)
                 : fmt::format("Hint {} of {}", i + 1, count),
          draft_.markdown(lesson_.hints[i], 3), html);
    }
    return html.empty() ? html : "<div class=\"hints\">\n" + html + "</div>\n";
  }

  std::string turn() const {
    std::string html = "<nav class=\"turn\" aria-label=\"Neighbouring lessons\">\n";
    if (const Lesson* lesson = neighbour(-1)) {
      html += "<p class=\"previous\"><span>Previous</span>" + title_link(*lesson) + "</p>\n";
    }
    if (const Lesson* lesson = neighbour(1)) {
      html += "<p class=\"following\"><span>Next</span>" + title_link(*lesson) + "</p>\n";
    }
    return html + "</nav>\n";
  }

  std::string rail() const {
    std::string html = "<nav class=\"rail\" aria-label=\"This lesson and its part\">\n";
    html += "<p>On this page</p>\n<ol class=\"here\">\n";
    for (const Section& section : sections_) {
      html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id_of(section.title),
                          escaped(section.title));
    }
    html += "</ol>\n";
    const Part* part = book_.course.part_of(lesson_.number);
    if (part == nullptr) return html + "</nav>\n";
    html += fmt::format("<p>Part {}</p>\n<ol class=\"siblings\">\n", part->number);
    for (int number = part->first; number <= part->last; ++number) {
      const Lesson* lesson = book_.course.by_number(number);
      if (lesson == nullptr) continue;
      const State state = state_of(*lesson, progress_, next_);
      html += fmt::format(
          "<li><a href=\"{}\"{} data-live=\"rail-{}\"><span class=\"number\">{:03}</span><span>{}"
          "</span>{}</a></li>\n",
          draft_.href(lesson_path(*lesson)), lesson == &lesson_ ? " aria-current=\"page\"" : "",
          number, number, escaped(lesson->title),
          book_.options.progress && std::string_view(state.name) != "open" ? state_mark(state)
                                                                           : "");
    }
    return html + "</ol>\n</nav>\n";
  }

  Book& book_;
  const Lesson& lesson_;
  const Progress& progress_;
  const Lesson* next_;
  Draft draft_;
  std::vector<Section> sections_;
};

}  // namespace

std::string lesson_page(Book& book, const Lesson& lesson, const Progress& progress) {
  return LessonPage(book, lesson, progress).html();
}

}  // namespace grade::site

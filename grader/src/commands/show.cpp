// `grade show LESSON`: the notes in the terminal.
#include <fmt/core.h>

#include <algorithm>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "commands/quiz_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "render/markdown.h"
#include "system/files.h"
#include "system/paths.h"
#include "terminal/pager.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Terminal;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class ShowCommand final : public Command {
 public:
  const char* name() const override { return "show"; }
  const char* summary() const override {
    return "A lesson's notes; `show start` before the first one";
  }
  int order() const override { return 10; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name; or `start`");
    options.option("--section", section_, "NAME",
                   "Only this section: intuition, mathematics, mistakes ...");
    options.flag("--no-pager", no_pager_, "Print all at once");
  }

  Exit run(Context& context) override {
    if (lesson_ == "start") return show_start(context);
    const Lesson& lesson = context.course().find(lesson_);
    Terminal& out = terminal::out();
    const int columns = std::min(out.columns(), 80);
    const std::string file = lesson.notes_file().string();
    std::vector<Section> sections = split_sections(split_front_matter(read_file(file), file).body);
    if (!section_.empty()) {
      std::vector<Section> chosen;
      for (const Section& section : sections) {
        if (lower(section.title).starts_with(lower(section_))) chosen.push_back(section);
      }
      if (chosen.empty()) {
        std::string titles;
        for (const Section& section : sections) titles += "\n  " + section.title;
        throw Error(Exit::usage, fmt::format("lesson {} has no section \"{}\". It has:{}",
                                             lesson.number, section_, titles));
      }
      sections = std::move(chosen);
    }

    std::vector<std::string> lines = section_.empty() ? head(context.course(), lesson, columns, out)
                                                      : std::vector<std::string>{};
    for (const Section& section : sections) {
      std::string text = section.text;
      if (!section.title.empty()) text = "## " + section.title + "\n\n" + text;
      if (!lines.empty()) lines.emplace_back();
      append(lines, render_markdown(text, columns, out));
      if (section.title == "Checkpoint") append(lines, questions(lesson, columns, out));
    }
    terminal::print_paged(lines, !no_pager_);
    note_activity(context, lesson);
    return Exit::passed;
  }

 private:
  static void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
    lines.insert(lines.end(), more.begin(), more.end());
  }

  static std::vector<std::string> head(const Course& course, const Lesson& lesson, int columns,
                                       const Terminal& out) {
    std::vector<std::string> lines = terminal::wrap(lesson_title(lesson, out), columns, 5);
    const Part* part = course.part_of(lesson.number);
    append(lines,
           terminal::wrap(
               out.style(Style::dim,
                         fmt::format("Part {}, {}  ·  reading {} min  ·  effort {}  ·  {} XP",
                                     part->number, part->title, lesson.minutes,
                                     effort_dots(lesson.effort, out), lesson.xp)),
               columns));
    append(lines, terminal::wrap("New: " + lesson.introduces_cuda + "; " + lesson.introduces_math,
                                 columns, 5));
    if (!lesson.prerequisites.empty()) {
      std::string text = "Builds on ";
      for (std::size_t i = 0; i < lesson.prerequisites.size(); ++i) {
        if (i > 0) text += ", ";
        text += fmt::format("{:03}", lesson.prerequisites[i]);
        const Lesson* earlier = course.by_number(lesson.prerequisites[i]);
        if (earlier != nullptr) text += " " + earlier->slug;
      }
      append(lines, terminal::wrap(text, columns, 5));
    }
    return lines;
  }

  // The checkpoint's questions, without their answers.
  static std::vector<std::string> questions(const Lesson& lesson, int columns,
                                            const Terminal& out) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < lesson.quiz.size(); ++i) {
      lines.emplace_back();
      append(lines, question_lines(lesson.quiz[i], i + 1, columns, out));
    }
    lines.emplace_back();
    append(lines,
           terminal::wrap(fmt::format("Answer them: grade quiz {}", lesson.number), columns));
    return lines;
  }

  Exit show_start(Context& context) const {
    const auto file = context.paths().docs() / "start.md";
    const auto text = read_file_if_there(file);
    if (!text) {
      throw Error(Exit::unavailable,
                  fmt::format("{} is not in this copy of the workbook", file.string()),
                  "`grade show 1` shows the first lesson.");
    }
    Terminal& out = terminal::out();
    terminal::print_paged(render_markdown(*text, std::min(out.columns(), 80), out), !no_pager_);
    return Exit::passed;
  }

  // Time spent reading counts; that it cannot be saved is no reason to fail.
  static void note_activity(Context& context, const Lesson& lesson) {
    try {
      context.progress().update(
          [&](Progress& progress) { progress.add_activity(lesson.directory()); });
    } catch (const Error&) {
    }
  }

  std::string lesson_;
  std::string section_;
  bool no_pager_ = false;
};

const Registration<ShowCommand> show_command;

}  // namespace
}  // namespace grade

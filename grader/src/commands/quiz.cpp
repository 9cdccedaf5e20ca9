// `grade quiz LESSON`: the checkpoint, asked one by one, or answered by --answer and by stdin.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>

#include "cli/command.h"
#include "commands/lesson_view.h"
#include "commands/quiz_view.h"
#include "course/course.h"
#include "progress/store.h"
#include "render/markdown.h"
#include "terminal/terminal.h"
#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Symbol;
using terminal::Terminal;

class QuizCommand final : public Command {
 public:
  const char* name() const override { return "quiz"; }
  const char* summary() const override {
    return "The lesson's checkpoint: two to four short questions";
  }
  int order() const override { return 10; }

  void configure(Options& options) override {
    options.argument("LESSON", lesson_, "Number, name, or a unique part of the name");
    options.option("--answer", answers_, "ID=VALUE",
                   "Answer this question without asking; may be repeated");
    options.flag("--list", list_, "Print the questions with their ids");
    options.footer(
        "Without a terminal, answers are read from stdin, one a line, in order or as ID=VALUE.\n"
        "Exit code 0 when every question is answered right, 1 otherwise.");
  }

  Exit run(Context& context) override {
    const Lesson& lesson = context.course().find(lesson_);
    Terminal& out = terminal::out();
    if (lesson.quiz.empty()) {
      out.paragraph(fmt::format("Lesson {} has no questions.", lesson.number));
      return Exit::passed;
    }
    if (list_) return list(lesson, out);
    if (!answers_.empty()) return grade(context, lesson, parse_answers(lesson, answers_), true);
    if (isatty(STDIN_FILENO) == 0) {
      std::vector<std::string> lines;
      for (std::string line; std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) lines.push_back(line);
      }
      return grade(context, lesson, parse_answers(lesson, lines), false);
    }
    return ask(context, lesson);
  }

 private:
  using Answers = std::map<std::string, std::string>;

  static int columns() { return std::min(terminal::out().columns(), 80); }

  static void print_lines(const std::vector<std::string>& lines, const std::string& indent = {}) {
    for (const std::string& line : lines) terminal::out().line(line.empty() ? line : indent + line);
  }

  static Exit list(const Lesson& lesson, Terminal& out) {
    for (std::size_t i = 0; i < lesson.quiz.size(); ++i) {
      if (i > 0) out.line();
      print_lines(question_lines(lesson.quiz[i], i + 1, columns(), out));
      out.line(out.style(Style::dim, "   --answer " + lesson.quiz[i].id + "=..."));
    }
    return Exit::passed;
  }

  static const Question* by_id(const Lesson& lesson, const std::string& id) {
    for (const Question& question : lesson.quiz) {
      if (question.id == id) return &question;
    }
    return nullptr;
  }

  // "id=value" names its question; a bare value goes to the next one that has none.
  static Answers parse_answers(const Lesson& lesson, const std::vector<std::string>& given) {
    Answers answers;
    for (const std::string& text : given) {
      const std::size_t equals = text.find('=');
      const std::string id = text.substr(0, equals);
      if (equals != std::string::npos && by_id(lesson, id) != nullptr) {
        answers[id] = text.substr(equals + 1);
        continue;
      }
      const auto open =
          std::find_if(lesson.quiz.begin(), lesson.quiz.end(),
                       [&](const Question& each) { return !answers.contains(each.id); });
      if (equals != std::string::npos || open == lesson.quiz.end()) {
        std::string ids;
        for (const Question& question : lesson.quiz) ids += "\n  " + question.id;
        throw Error(
            Exit::usage,
            equals != std::string::npos
                ? fmt::format("lesson {} has no question \"{}\". Its questions:{}", lesson.number,
                              id, ids)
                : fmt::format("there are more answers than questions ({})", lesson.quiz.size()));
      }
      answers[open->id] = text;
    }
    return answers;
  }

  static void print_judgement(const Question& question, const Judgement& judgement, Terminal& out) {
    if (judgement.correct) {
      out.line("   " + out.style(Style::good, out.symbol(Symbol::passed) + " right"));
      if (!question.explain.empty())
        print_lines(render_markdown(question.explain, columns() - 3, out), "   ");
      return;
    }
    if (judgement.understood) {
      out.line("   " + out.style(Style::bad, out.symbol(Symbol::failed) + " not this"));
    }
    if (!judgement.remark.empty())
      print_lines(render_markdown(judgement.remark, columns() - 3, out), "   ");
  }

  static Exit sum_up(std::size_t right, std::size_t of, Terminal& out) {
    out.line();
    out.line(out.style(right == of ? Style::good : Style::plain,
                       fmt::format("{} of {} right.", right, of)));
    return right == of ? Exit::passed : Exit::failed;
  }

  // `only_given`: judge the answered questions alone; else the unanswered count as not right.
  static Exit grade(Context& context, const Lesson& lesson, const Answers& answers,
                    bool only_given) {
    Terminal& out = terminal::out();
    std::size_t right = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < lesson.quiz.size(); ++i) {
      const Question& question = lesson.quiz[i];
      const auto answer = answers.find(question.id);
      if (answer == answers.end() && only_given) continue;
      if (asked++ > 0) out.line();
      print_lines(question_lines(question, i + 1, columns(), out));
      if (answer == answers.end()) {
        out.line("   not answered (id " + question.id + ")");
        continue;
      }
      out.line("   > " + terminal::printable(answer->second));
      const Judgement judgement =
          judge_and_record(context.progress(), lesson, question, answer->second);
      print_judgement(question, judgement, out);
      if (judgement.correct) ++right;
    }
    return sum_up(right, asked, out);
  }

  static Exit ask(Context& context, const Lesson& lesson) {
    Terminal& out = terminal::out();
    out.paragraph(lesson_title(lesson, out), 5);
    out.line(out.style(Style::dim, "Enter alone skips a question."));
    std::size_t right = 0;
    for (std::size_t i = 0; i < lesson.quiz.size(); ++i) {
      const Question& question = lesson.quiz[i];
      out.line();
      print_lines(question_lines(question, i + 1, columns(), out));
      while (true) {
        out.print("   > ");
        out.flush();
        std::string answer;
        if (!std::getline(std::cin, answer)) {
          out.line();
          return sum_up(right, lesson.quiz.size(), out);
        }
        if (answer.find_first_not_of(" \t\r") == std::string::npos) break;
        const Judgement judgement = judge_and_record(context.progress(), lesson, question, answer);
        print_judgement(question, judgement, out);
        if (judgement.correct) {
          ++right;
          break;
        }
      }
    }
    return sum_up(right, lesson.quiz.size(), out);
  }

  std::string lesson_;
  std::vector<std::string> answers_;
  bool list_ = false;
};

const Registration<QuizCommand> quiz_command;

}  // namespace
}  // namespace grade

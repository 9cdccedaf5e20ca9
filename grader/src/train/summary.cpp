#include "train/summary.h"

#include <fmt/format.h>

#include <iterator>

#include "course/course.h"
#include "progress/progress.h"
#include "terminal/text.h"

namespace grade {

std::string completion_summary(const Course& course, const Progress& progress,
                               const Training& training) {
  int attempts = 0;
  int answered = 0;
  for (const Lesson& lesson : course.lessons) {
    const LessonProgress state = progress.lesson(lesson.directory());
    attempts += state.attempts;
    for (const auto& [question, answer] : state.quiz) answered += answer.correct ? 1 : 0;
  }
  const auto days = progress.days();
  std::string text = fmt::format("# {}: complete\n\n{}\n\n", course.title, course.line);
  using terminal::counted;
  text += fmt::format("- {} of {} XP, {}, {} on {}, {} answered\n", xp(course, progress),
                      course.total_xp(), counted(course.lesson_count(), "lesson", "lessons"),
                      counted(attempts, "graded run", "graded runs"),
                      counted(std::ssize(days), "day", "days"),
                      counted(answered, "question", "questions"));
  text += fmt::format(
      "- a layer of {} experts, {} a token, forward, backward and update in {} kernels of my own, "
      "trained for {}: the loss went from {:.4g} to {:.4g}\n\n",
      training.experts, training.top, course.lesson_count(),
      counted(std::ssize(training.mse), "step", "steps"), training.mse.front(),
      training.mse.back());
  text +=
      "![The loss over the steps, and the load of the experts before and after](training.svg)\n\n";
  text += "| part | lessons |\n|---|---|\n";
  for (const Part& part : course.parts) {
    text += fmt::format("| {}. {} | {} |\n", part.number, part.title, part.count());
  }
  return text;
}

}  // namespace grade

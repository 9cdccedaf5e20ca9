#include "train/summary.h"

#include <fmt/format.h>

#include "course/course.h"
#include "progress/progress.h"

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
  text +=
      fmt::format("- {} of {} XP, {} lessons, {} graded runs on {} days, {} questions answered\n",
                  xp(course, progress), course.total_xp(), course.lesson_count(), attempts,
                  days.size(), answered);
  text += fmt::format(
      "- a layer of {} experts, {} a token, forward, backward and update in {} kernels of my own, "
      "trained for {} steps: the loss went from {:.4g} to {:.4g}\n\n",
      training.experts, training.top, course.lesson_count(), training.mse.size(),
      training.mse.front(), training.mse.back());
  text +=
      "![The loss over the steps, and the load of the experts before and after](training.svg)\n\n";
  text += "| part | lessons |\n|---|---|\n";
  for (const Part& part : course.parts) {
    text += fmt::format("| {}. {} | {} |\n", part.number, part.title, part.count());
  }
  return text;
}

}  // namespace grade

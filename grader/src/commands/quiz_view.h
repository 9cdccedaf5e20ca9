// Questions of a checkpoint: how they look and how an answer is judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "course/lesson.h"
#include "terminal/terminal.h"

namespace grade {

class ProgressStore;

// "1. What ...?" with its choices a), b), c) below.
std::vector<std::string> question_lines(const Question& question, std::size_t number, int columns,
                                        const terminal::Terminal& out);

struct Judgement {
  bool understood = true;  // false: not an answer to this kind of question
  bool correct = false;
  std::string shown;  // the answer as understood, for the record
  std::string
      remark;  // Markdown: the misconception behind a wrong choice, or what was not understood
};
Judgement judge(const Question& question, std::string_view answer);
// Judges, and records the answer where it was understood.
Judgement judge_and_record(ProgressStore& store, const Lesson& lesson, const Question& question,
                           std::string_view answer);

// "12", "-0.5", "1e-3", "2/3"; empty when the text is no number.
std::optional<double> parse_number(std::string_view text);

}  // namespace grade

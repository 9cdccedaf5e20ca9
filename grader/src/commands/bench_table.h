// The counts of `grade bench`, side by side.
#pragma once

#include <string>
#include <vector>

#include "course/lesson.h"
#include "progress/progress.h"
#include "run/result.h"
#include "terminal/terminal.h"

namespace grade {

// One side of the comparison: "yours", "reference".
struct BenchColumn {
  std::string title;
  const CaseCounts* counts = nullptr;
};

// A table for each kernel, the first kernel of one side beside the first of the other, and below
// what the rows mean.
void print_counts(terminal::Terminal& out, const std::vector<BenchColumn>& columns);

// The rows of that table, over all kernels, in which two sides differ. Empty where
// there are none.
std::vector<std::string> count_differences(const terminal::Terminal& out, const BenchColumn& left,
                                           const BenchColumn& right);

// A quiz question whose answer predicts a count.
struct Prediction {
  const Question* question = nullptr;
  std::string answer;    // the learner's last one, as typed; empty: none yet
  double predicted = 0;  // its value
  double counted = 0;
  bool known = false;   // is there a count of that name?
  bool within = false;  // is the prediction near enough?
};
std::vector<Prediction> compare_predictions(const Lesson& lesson, const LessonProgress& progress,
                                            const CaseCounts& counts);
void print_predictions(terminal::Terminal& out, const Lesson& lesson,
                       const std::vector<Prediction>& predictions);

// 49152 as "49,152", 3.99609 as "4.00".
std::string count_in_words(double value);

}  // namespace grade

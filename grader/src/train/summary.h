// What a learner may show when the course is complete.
#pragma once

#include <string>

#include "train/training.h"

namespace grade {

class Course;
class Progress;

// Markdown: XP, days, attempts, the training's figures, and the picture beside it (training.svg).
std::string completion_summary(const Course& course, const Progress& progress,
                               const Training& training);

}  // namespace grade

// Whether a learner's file may stand in for a lesson's reference.
#pragma once

#include "course/lesson.h"
#include "progress/progress.h"

namespace grade {

enum class OwnKernel { not_passed, changed, passed };

// `passed` while the file is the one that passed last: --mine takes no other.
OwnKernel own_kernel(const Progress& progress, const Lesson& lesson);

// The hash of the file that passed last; empty where none did.
std::string passed_hash(const Progress& progress, const Lesson& lesson);

}  // namespace grade

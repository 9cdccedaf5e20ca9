// The file that a command takes in a lesson's place.
#pragma once

#include <filesystem>
#include <string>

#include "cli/command.h"
#include "course/lesson.h"

namespace grade {

// The reference with --solution, the file that --file names, else the learner's own. Throws
// Error(usage) when there is no such file.
std::filesystem::path chosen_kernel(Context& context, const Lesson& lesson, bool solution,
                                    const std::string& file);

}  // namespace grade

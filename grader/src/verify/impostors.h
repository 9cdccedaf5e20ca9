// Kernels that no grader may accept: one that does nothing, one that writes zeros, one that writes
// NaN, and for each input one that copies it. They are generated from a function's declaration in
// moe/kernels.h; the sizes of its arrays follow from their names, which mean the same throughout.
#pragma once

#include <string>
#include <vector>

#include "course/lesson.h"

namespace grade {

struct Impostor {
  std::string name;    // do_nothing, all_zero, all_nan, copy_of_A
  std::string source;  // a .cu file
};

// `header` is the text of moe/kernels.h. Throws std::runtime_error when the declaration is not
// there or has an array of unknown size.
std::vector<Impostor> impostors(const Lesson& lesson, const std::string& header);

}  // namespace grade

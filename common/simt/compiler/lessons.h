// The functions of the workbook, read from moe/kernels.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

struct LessonFunction {
  std::string number;      // "001"
  std::string name;        // "matmul_nn"
  std::string parameters;  // as declared, on one line
  std::string signature;   // as a demangler prints it: "matmul_nn(float const*, ..., CUstream_st*)"
};

std::vector<LessonFunction> parse_lesson_functions(std::string_view kernels_header);

const LessonFunction* find_lesson(const std::vector<LessonFunction>& lessons,
                                  std::string_view name);

// "const float* A" -> "float const*".
std::string demangled_type(std::string_view parameter);

}  // namespace simt::compiler

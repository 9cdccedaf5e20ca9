// What common/moe/include/moe/kernels.h declares: each lesson's function, and which arrays it
// makes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace grade::site {

struct Declaration {
  std::string function;
  std::string comment;               // what it computes, in a line
  std::string text;                  // the declaration, on one line, with its semicolon
  std::vector<std::string> outputs;  // parameters that point to what is not const
};

// In the header's order, which is that of the lessons.
std::vector<Declaration> read_declarations(std::string_view header);

}  // namespace grade::site

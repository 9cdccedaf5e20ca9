// Light highlighting of C++ and CUDA: comments, strings, keywords, preprocessor lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace grade {

// One string a line; the text itself where colour is not allowed.
std::vector<std::string> highlight_cpp(std::string_view code, const terminal::Terminal& out);

}  // namespace grade

// Light highlighting of C++ and CUDA: comments, strings, keywords, preprocessor lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace grade {

enum class CodeKind { plain, keyword, cuda, literal, number, comment, preprocessor };

struct CodeToken {
  CodeKind kind = CodeKind::plain;
  std::string_view text;  // into the code given
};

// The tokens of each line; together they are the line.
std::vector<std::vector<CodeToken>> cpp_tokens(std::string_view code);

// One string a line; the text itself where colour is not allowed.
std::vector<std::string> highlight_cpp(std::string_view code, const terminal::Terminal& out);

}  // namespace grade

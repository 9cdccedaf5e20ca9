#include "site/declarations.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

namespace grade::site {
namespace {

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string last_name(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !in_name(text[end - 1])) --end;
  std::size_t first = end;
  while (first > 0 && in_name(text[first - 1])) --first;
  return std::string(text.substr(first, end - first));
}

void read_parameters(Declaration& declaration) {
  const std::size_t open = declaration.text.find('(');
  std::istringstream parameters(
      declaration.text.substr(open + 1, declaration.text.rfind(')') - open - 1));
  for (std::string parameter; std::getline(parameters, parameter, ',');) {
    const std::string name = last_name(parameter);
    if (parameter.find('*') == std::string::npos) continue;
    if (parameter.find("const") == std::string::npos) declaration.outputs.push_back(name);
  }
}

}  // namespace

std::vector<Declaration> read_declarations(std::string_view header) {
  std::vector<Declaration> found;
  std::string comment;
  std::string text;
  std::istringstream lines{std::string(header)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// ")) {
      // "// 005: what it computes", and its further lines.
      const bool first = line.size() > 8 && line[6] == ':' &&
                         std::isdigit(static_cast<unsigned char>(line[3])) != 0;
      comment = first ? line.substr(8) : comment.empty() ? "" : comment + " " + line.substr(3);
      continue;
    }
    if (line.starts_with("void ")) text.clear();
    if (line.starts_with("void ") || !text.empty()) {
      text += text.empty() ? line
                           : " " + line.substr(std::min(line.size(), line.find_first_not_of(' ')));
    }
    if (text.empty() || !line.ends_with(';')) {
      if (line.empty()) comment.clear();
      continue;
    }
    Declaration declaration{{}, comment, text, {}};
    declaration.function = last_name(std::string_view(text).substr(0, text.find('(')));
    read_parameters(declaration);
    found.push_back(std::move(declaration));
    text.clear();
    comment.clear();
  }
  return found;
}

}  // namespace grade::site

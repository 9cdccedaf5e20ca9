#include "lessons.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "lexer.h"

namespace simt::compiler {
namespace {

// Which "// 014: ..." comment stands last before each offset.
std::string number_before(std::string_view text, std::size_t offset) {
  std::string number;
  for (std::size_t at = text.find("// "); at != std::string_view::npos && at < offset;
       at = text.find("// ", at + 1)) {
    const std::string_view digits = text.substr(at + 3, 4);
    if (digits.size() == 4 && digits[3] == ':' &&
        std::all_of(digits.begin(), digits.begin() + 3,
                    [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; })) {
      number = std::string(digits.substr(0, 3));
    }
  }
  return number;
}

}  // namespace

std::string demangled_type(std::string_view parameter) {
  const std::vector<Token> tokens = lex(parameter, {"", false}).tokens;
  bool constant = false;
  std::string base;
  std::string rest;
  for (const Token& token : tokens) {
    if (token.is("const")) {
      // After the base type it belongs to the pointer before it.
      if (rest.empty()) {
        constant = true;
      } else {
        break;  // `float* const p`: const of the parameter itself is no part of its type
      }
    } else if (token.is("*") || token.is("&")) {
      rest += token.text;
    } else if (token.kind == TokenKind::identifier && rest.empty() && base.empty()) {
      base = token.text;
    }
  }
  if (base == "cudaStream_t") {
    base = "CUstream_st";
    rest.insert(0, "*");
  }
  // A const value is passed like any other.
  return base + (constant && !rest.empty() ? " const" : "") + rest;
}

std::vector<LessonFunction> parse_lesson_functions(std::string_view kernels_header) {
  std::vector<LessonFunction> lessons;
  const std::vector<Token> tokens = lex(kernels_header, {"", false}).tokens;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is("void") || tokens[i + 1].kind != TokenKind::identifier ||
        !tokens[i + 2].is("(")) {
      continue;
    }
    LessonFunction lesson;
    lesson.name = tokens[i + 1].text;
    lesson.number = number_before(kernels_header, tokens[i].offset);
    lesson.signature = lesson.name + "(";
    std::size_t j = i + 3;
    std::size_t begin = j;
    for (; j < tokens.size() && !tokens[j].is(";"); ++j) {
      const bool last = tokens[j].is(")");
      if (!last && !tokens[j].is(",")) {
        if (!lesson.parameters.empty() && tokens[j].offset != tokens[j - 1].end() &&
            lesson.parameters.back() != ' ') {
          lesson.parameters.push_back(' ');
        }
        lesson.parameters += tokens[j].text;
        continue;
      }
      const std::string_view parameter =
          kernels_header.substr(tokens[begin].offset, tokens[j].offset - tokens[begin].offset);
      lesson.signature += demangled_type(parameter) + (last ? ")" : ", ");
      if (last) break;
      lesson.parameters += ", ";
      begin = j + 1;
    }
    lessons.push_back(std::move(lesson));
    i = j;
  }
  return lessons;
}

const LessonFunction* find_lesson(const std::vector<LessonFunction>& lessons,
                                  std::string_view name) {
  const auto found = std::find_if(lessons.begin(), lessons.end(),
                                  [name](const LessonFunction& l) { return l.name == name; });
  return found == lessons.end() ? nullptr : &*found;
}

}  // namespace simt::compiler

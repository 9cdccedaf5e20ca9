#include "render/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace grade {
namespace {

constexpr std::array<std::string_view, 52> keywords{"auto",
                                                    "bool",
                                                    "break",
                                                    "case",
                                                    "char",
                                                    "class",
                                                    "const",
                                                    "constexpr",
                                                    "continue",
                                                    "default",
                                                    "do",
                                                    "double",
                                                    "else",
                                                    "enum",
                                                    "extern",
                                                    "false",
                                                    "float",
                                                    "for",
                                                    "if",
                                                    "inline",
                                                    "int",
                                                    "long",
                                                    "namespace",
                                                    "nullptr",
                                                    "operator",
                                                    "private",
                                                    "public",
                                                    "return",
                                                    "short",
                                                    "signed",
                                                    "sizeof",
                                                    "size_t",
                                                    "static",
                                                    "struct",
                                                    "switch",
                                                    "template",
                                                    "this",
                                                    "true",
                                                    "typedef",
                                                    "typename",
                                                    "union",
                                                    "unsigned",
                                                    "using",
                                                    "void",
                                                    "volatile",
                                                    "while",
                                                    "static_cast",
                                                    "noexcept",
                                                    "static_assert",
                                                    "reinterpret_cast",
                                                    "dim3",
                                                    "cudaStream_t"};

bool starts_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

CodeKind kind_of(std::string_view word) {
  if (word.starts_with("__")) return CodeKind::cuda;  // __global__, __syncthreads, ...
  for (const std::string_view built_in :
       {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"}) {
    if (word == built_in) return CodeKind::cuda;
  }
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end() ? CodeKind::keyword
                                                                             : CodeKind::plain;
}

// The end of the string or character literal that starts at `from`.
std::size_t literal_end(std::string_view line, std::size_t from) {
  for (std::size_t i = from + 1; i < line.size(); ++i) {
    if (line[i] == '\\') {
      ++i;
    } else if (line[i] == line[from]) {
      return i + 1;
    }
  }
  return line.size();
}

void add_line(std::vector<CodeToken>& tokens, std::string_view line, bool& in_comment) {
  std::size_t i = 0;
  const std::size_t first = line.find_first_not_of(' ');
  if (!in_comment && first != std::string_view::npos && line[first] == '#') {
    tokens.push_back({CodeKind::preprocessor, line});
    return;
  }
  while (i < line.size()) {
    std::size_t end = i + 1;
    CodeKind kind = CodeKind::plain;
    if (in_comment || line.substr(i).starts_with("/*")) {
      const std::size_t close = line.find("*/", in_comment ? i : i + 2);
      in_comment = close == std::string_view::npos;
      end = in_comment ? line.size() : close + 2;
      kind = CodeKind::comment;
    } else if (line.substr(i).starts_with("//")) {
      end = line.size();
      kind = CodeKind::comment;
    } else if (line[i] == '"' || line[i] == '\'') {
      end = literal_end(line, i);
      kind = CodeKind::literal;
    } else if (starts_word(line[i])) {
      while (end < line.size() && in_word(line[end])) ++end;
      kind = kind_of(line.substr(i, end - i));
    } else if (std::isdigit(static_cast<unsigned char>(line[i])) != 0) {
      while (end < line.size() && (in_word(line[end]) || line[end] == '.' || line[end] == '\''))
        ++end;
      kind = CodeKind::number;
    }
    tokens.push_back({kind, line.substr(i, end - i)});
    i = end;
  }
}

terminal::Style style_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::keyword:
      return terminal::Style::accent;
    case CodeKind::cuda:
      return terminal::Style::warning;
    case CodeKind::literal:
      return terminal::Style::good;
    case CodeKind::comment:
      return terminal::Style::dim;
    case CodeKind::preprocessor:
      return terminal::Style::code;
    default:
      return terminal::Style::plain;
  }
}

}  // namespace

std::vector<std::vector<CodeToken>> cpp_tokens(std::string_view code) {
  std::vector<std::vector<CodeToken>> lines;
  bool in_comment = false;
  while (!code.empty()) {
    const std::size_t end = code.find('\n');
    std::string_view line = code.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(lines.emplace_back(), line, in_comment);
    if (end == std::string_view::npos) break;
    code.remove_prefix(end + 1);
  }
  return lines;
}

std::vector<std::string> highlight_cpp(std::string_view code, const terminal::Terminal& out) {
  std::vector<std::string> lines;
  for (const auto& tokens : cpp_tokens(code)) {
    std::string& line = lines.emplace_back();
    for (const auto& [kind, text] : tokens) {
      line += out.can().colour ? out.style(style_of(kind), text) : std::string(text);
    }
  }
  return lines;
}

}  // namespace grade

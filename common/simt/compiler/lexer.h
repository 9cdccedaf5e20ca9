// Tokens of a C++ source, raw or printed by `g++ -E`.
//
// The lexer never fails: a character it does not know becomes a punctuator of its own. Comments,
// line splices, preprocessor directives and line markers are white space; line markers also say
// where each token stands in the file that its author sees.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace simt::compiler {

enum class TokenKind : std::uint8_t { identifier, number, string, character, punctuator };

struct Token {
  TokenKind kind;
  std::string_view text;  // digraphs are spelled as what they stand for: "<%" is "{"
  std::size_t offset;     // in the source
  std::size_t length;     // in the source
  int line;               // in the file named by the last line marker
  int file;               // index into TokenStream::files

  std::size_t end() const { return offset + length; }
  bool is(std::string_view spelling) const { return text == spelling; }
};

struct TokenStream {
  std::vector<Token> tokens;
  std::vector<std::string> files;  // names as the line markers give them
};

struct LexOptions {
  std::string file;  // name of the file until a line marker gives another
  // Files entered under a marker with flag 3 (system headers) and the preprocessor's own
  // pseudo-files hold no tokens of interest: skip them.
  bool skip_system_headers = true;
};

// The tokens' views point into `source` or at static storage.
TokenStream lex(std::string_view source, const LexOptions& options);

// What a line marker `# 12 "file" 1 3` says.
struct LineMarker {
  int line = 0;
  std::string file;
  bool enters = false;   // flag 1
  bool returns = false;  // flag 2
  bool system = false;   // flag 3
};

// True when `text` (one line, without its newline) is a line marker or a #line directive.
bool parse_line_marker(std::string_view text, LineMarker& marker);

// Calls visit(begin, end, marker) for each line of a preprocessed text; `marker` is null for a line
// that is none.
template <class Visit>
void each_line(std::string_view preprocessed, Visit visit) {
  for (std::size_t begin = 0; begin < preprocessed.size();) {
    const std::size_t end = std::min(preprocessed.find('\n', begin), preprocessed.size());
    LineMarker marker;
    const bool is_marker = preprocessed[begin] == '#' &&
                           parse_line_marker(preprocessed.substr(begin, end - begin), marker);
    visit(begin, end, is_marker ? &marker : nullptr);
    begin = end + 1;
  }
}

}  // namespace simt::compiler

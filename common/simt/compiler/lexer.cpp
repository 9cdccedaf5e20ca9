#include "lexer.h"

#include <array>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace simt::compiler {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_octal(char c) {
  return c >= '0' && c <= '7';
}

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_identifier_part(char c) {
  return is_identifier_start(c) || is_digit(c);
}

bool is_horizontal_space(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

// Longest first. '>' stands alone always, so that template argument lists can be closed one by
// one; "<<<" is one token, as nvcc reads it.
constexpr std::array<std::string_view, 31> punctuators = {
    "->*", "...", "<=>", "<<=", ">>=", "<<<", "::", "->", ".*", "<<", "<=",
    ">=",  "==",  "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=",
    "|=",  "^=",  "++",  "--",  "##",  "<%",  "%>", "<:", ":>"};

class Lexer {
 public:
  Lexer(std::string_view source, const LexOptions& options)
      : source_(source), skip_system_(options.skip_system_headers) {
    file_ = file_index(options.file);
  }

  TokenStream run() {
    while (position_ < source_.size()) {
      if (at_line_start_ && skipping_) {
        skip_foreign_line();
      } else {
        step();
      }
    }
    return std::move(stream_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < source_.size() ? source_[position_ + ahead] : '\0';
  }

  int file_index(const std::string& name) {
    auto [found, added] = files_.emplace(name, static_cast<int>(stream_.files.size()));
    if (added) {
      stream_.files.push_back(name);
      own_.push_back(true);
    }
    return found->second;
  }

  void newline() {
    ++position_;
    ++line_;
    at_line_start_ = true;
  }

  std::size_t line_end() const {
    const std::size_t found = source_.find('\n', position_);
    return found == std::string_view::npos ? source_.size() : found;
  }

  void skip_foreign_line() {
    const std::size_t end = line_end();
    if (peek() == '#') read_directive(end);
    position_ = end;
    if (position_ < source_.size()) newline();
  }

  // A line marker moves us; any other directive (#pragma, or #define in raw text) is skipped
  // with its continuation lines.
  void read_directive(std::size_t end) {
    LineMarker marker;
    if (!parse_line_marker(source_.substr(position_, end - position_), marker)) return;
    if (!marker.file.empty() || marker.enters || marker.system) {
      const bool known = files_.contains(marker.file);
      file_ = file_index(marker.file);
      const auto index = static_cast<std::size_t>(file_);
      const bool pseudo = marker.file.starts_with('<');
      // A file first entered as a system header stays one. A flag 3 on a marker of one's own file
      // only says that a macro of a system header was expanded there.
      if (!known) own_[index] = !marker.system && !pseudo;
      skipping_ = skip_system_ && !own_[index];
    }
    line_ = marker.line - 1;  // the marker's own newline counts
  }

  void step() {
    const char c = peek();
    if (c == '\n') {
      newline();
    } else if (is_horizontal_space(c)) {
      ++position_;
    } else if (c == '#' && at_line_start_) {
      std::size_t end = line_end();
      while (end < source_.size() && end > position_ && source_[end - 1] == '\\') {
        const std::size_t next = source_.find('\n', end + 1);
        ++line_;
        end = next == std::string_view::npos ? source_.size() : next;
      }
      read_directive(end);
      position_ = end;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      position_ += peek(1) == '\n' ? 2 : 3;
      ++line_;
    } else if (c == '/' && peek(1) == '/') {
      skip_line_comment();
    } else if (c == '/' && peek(1) == '*') {
      skip_block_comment();
    } else {
      at_line_start_ = false;
      lex_token();
    }
  }

  void skip_line_comment() {
    while (position_ < source_.size() && peek() != '\n') {
      if (peek() == '\\' && peek(1) == '\n') {
        ++position_;
        ++line_;
      }
      ++position_;
    }
  }

  void skip_block_comment() {
    position_ += 2;
    while (position_ < source_.size() && !(peek() == '*' && peek(1) == '/')) {
      if (peek() == '\n') ++line_;
      ++position_;
    }
    position_ = std::min(position_ + 2, source_.size());
  }

  void add(TokenKind kind, std::size_t begin, int line) {
    stream_.tokens.push_back(
        {kind, source_.substr(begin, position_ - begin), begin, position_ - begin, line, file_});
  }

  void lex_token() {
    const std::size_t begin = position_;
    const int line = line_;
    const char c = peek();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      lex_number();
      add(TokenKind::number, begin, line);
    } else if (is_identifier_start(c)) {
      while (is_identifier_part(peek())) ++position_;
      const std::string_view text = source_.substr(begin, position_ - begin);
      if (peek() == '"' &&
          (text == "R" || text == "u8R" || text == "uR" || text == "UR" || text == "LR")) {
        lex_raw_string();
        add(TokenKind::string, begin, line);
      } else if ((peek() == '"' || peek() == '\'') &&
                 (text == "u8" || text == "u" || text == "U" || text == "L")) {
        const TokenKind kind = peek() == '"' ? TokenKind::string : TokenKind::character;
        lex_quoted(peek());
        add(kind, begin, line);
      } else {
        add(TokenKind::identifier, begin, line);
      }
    } else if (c == '"' || c == '\'') {
      lex_quoted(c);
      add(c == '"' ? TokenKind::string : TokenKind::character, begin, line);
    } else {
      lex_punctuator();
    }
  }

  void lex_number() {
    ++position_;
    while (position_ < source_.size()) {
      const char c = peek();
      if ((c == '+' || c == '-') && std::strchr("eEpP", source_[position_ - 1]) != nullptr) {
        ++position_;
      } else if (is_identifier_part(c) || c == '.') {
        ++position_;
      } else if (c == '\'' && is_identifier_part(peek(1))) {
        position_ += 2;
      } else {
        break;
      }
    }
  }

  // Stops at the end of the line when the quote is never closed.
  void lex_quoted(char quote) {
    ++position_;
    while (position_ < source_.size() && peek() != quote && peek() != '\n') {
      if (peek() == '\\' && position_ + 1 < source_.size()) {
        if (peek(1) == '\n') ++line_;
        ++position_;
      }
      ++position_;
    }
    if (peek() == quote && position_ < source_.size()) ++position_;
  }

  void lex_raw_string() {
    const std::size_t open = source_.find('(', position_);
    // A delimiter has at most 16 characters and no space: else this is no raw string.
    const std::string_view delimiter =
        source_.substr(position_ + 1, open == std::string_view::npos ? 0 : open - position_ - 1);
    if (open == std::string_view::npos || delimiter.size() > 16 ||
        delimiter.find_first_of(" \t\n\\)\"") != std::string_view::npos) {
      lex_quoted('"');
      return;
    }
    std::string closer = ")";
    closer.append(delimiter);
    closer.push_back('"');
    const std::size_t found = source_.find(closer, open + 1);
    const std::size_t end =
        found == std::string_view::npos ? source_.size() : found + closer.size();
    for (; position_ < end; ++position_) {
      if (peek() == '\n') ++line_;
    }
  }

  void lex_punctuator() {
    const std::size_t begin = position_;
    const std::string_view rest = source_.substr(begin);
    std::size_t length = 1;
    for (const std::string_view punctuator : punctuators) {
      if (!rest.starts_with(punctuator)) continue;
      // "<::" is "<" "::" unless ":" or ">" follows.
      if (punctuator == "<:" && rest.size() > 2 && rest[2] == ':' &&
          !(rest.size() > 3 && (rest[3] == ':' || rest[3] == '>'))) {
        continue;
      }
      if (punctuator == "<<<" && !stream_.tokens.empty() && stream_.tokens.back().is("operator")) {
        continue;
      }
      length = punctuator.size();
      break;
    }
    position_ += length;
    add(TokenKind::punctuator, begin, line_);
    std::string_view& text = stream_.tokens.back().text;
    if (text == "<%") text = "{";
    if (text == "%>") text = "}";
    if (text == "<:") text = "[";
    if (text == ":>") text = "]";
  }

  std::string_view source_;
  bool skip_system_;
  std::size_t position_ = 0;
  int line_ = 1;
  int file_ = 0;
  bool at_line_start_ = true;
  bool skipping_ = false;
  TokenStream stream_;
  std::vector<bool> own_;
  std::unordered_map<std::string, int> files_;
};

}  // namespace

bool parse_line_marker(std::string_view text, LineMarker& marker) {
  std::size_t at = 0;
  auto skip_spaces = [&] {
    while (at < text.size() && is_horizontal_space(text[at])) ++at;
  };
  if (text.empty() || text[at] != '#') return false;
  ++at;
  skip_spaces();
  if (text.substr(at).starts_with("line")) {
    at += 4;
    skip_spaces();
  }
  if (at >= text.size() || !is_digit(text[at])) return false;
  long line = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    line = std::min(line * 10 + (text[at] - '0'), 1'000'000'000L);
  }
  marker = LineMarker{};
  marker.line = static_cast<int>(line);
  skip_spaces();
  if (at >= text.size() || text[at] != '"') return true;
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    if (at + 2 < text.size() && text[at - 1] == '\\' && is_octal(text[at]) &&
        is_octal(text[at + 1]) && is_octal(text[at + 2])) {
      const int code = (text[at] - '0') * 64 + (text[at + 1] - '0') * 8 + (text[at + 2] - '0');
      marker.file.push_back(static_cast<char>(code));
      at += 2;
    } else {
      marker.file.push_back(text[at]);
    }
  }
  if (at < text.size()) ++at;
  for (; at < text.size(); ++at) {
    if (text[at] == '1') marker.enters = true;
    if (text[at] == '2') marker.returns = true;
    if (text[at] == '3') marker.system = true;
  }
  return true;
}

TokenStream lex(std::string_view source, const LexOptions& options) {
  return Lexer(source, options).run();
}

}  // namespace simt::compiler

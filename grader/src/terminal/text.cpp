#include "terminal/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace grade::terminal {
namespace {

struct Range {
  char32_t first, last;
};

// Marks that take no column of their own. A compact table: what notes and names may hold.
constexpr std::array<Range, 11> zero_width{{{0x0300, 0x036f},
                                            {0x0483, 0x0489},
                                            {0x0591, 0x05bd},
                                            {0x0610, 0x061a},
                                            {0x064b, 0x065f},
                                            {0x1ab0, 0x1aff},
                                            {0x1dc0, 0x1dff},
                                            {0x200b, 0x200f},
                                            {0x20d0, 0x20ff},
                                            {0xfe00, 0xfe0f},
                                            {0xfe20, 0xfe2f}}};
constexpr std::array<Range, 13> double_width{{{0x1100, 0x115f},
                                              {0x2e80, 0x303e},
                                              {0x3041, 0x33ff},
                                              {0x3400, 0x4dbf},
                                              {0x4e00, 0x9fff},
                                              {0xa000, 0xa4cf},
                                              {0xac00, 0xd7a3},
                                              {0xf900, 0xfaff},
                                              {0xfe30, 0xfe6f},
                                              {0xff00, 0xff60},
                                              {0xffe0, 0xffe6},
                                              {0x1f300, 0x1faff},
                                              {0x20000, 0x3fffd}}};

template <std::size_t N>
bool contains(const std::array<Range, N>& table, char32_t c) {
  const auto it = std::upper_bound(table.begin(), table.end(), c,
                                   [](char32_t value, const Range& r) { return value < r.first; });
  return it != table.begin() && c <= (it - 1)->last;
}

int columns_of(char32_t c) {
  if (c < 0x20 || c == 0x7f) return 0;
  if (c < 0x300) return 1;
  if (contains(zero_width, c)) return 0;
  return contains(double_width, c) ? 2 : 1;
}

// One character, or one whole escape sequence, of a text.
struct Unit {
  std::string_view bytes;
  int width = 0;
  bool escape = false;
  bool valid = true;
  char32_t c = 0;
};

std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  if (text[1] == '[') {  // CSI: up to a final byte
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] >= 0x40 && text[i] <= 0x7e) return i + 1;
    }
    return text.size();
  }
  if (text[1] == ']' || text[1] == 'P' || text[1] == '_' || text[1] == '^') {  // OSC, DCS, ...
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '\\') return i + 2;
    }
    return text.size();
  }
  return 2;
}

Unit first_unit(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead == 0x1b) return {text.substr(0, escape_length(text)), 0, true, true, lead};
  if (lead < 0x80) return {text.substr(0, 1), columns_of(lead), false, true, lead};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {text.substr(0, 1), 1, false, false, lead};
  char32_t c = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {text.substr(0, 1), 1, false, false, lead};
    c = (c << 6) | (next & 0x3f);
  }
  const char32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  if (c < least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) {
    return {text.substr(0, 1), 1, false, false, lead};
  }
  // U+0080 to U+009F are control characters that some terminals obey.
  if (c >= 0x80 && c < 0xa0) return {text.substr(0, length), 1, false, false, c};
  return {text.substr(0, length), columns_of(c), false, true, c};
}

constexpr char32_t no_break_space = 0xa0;
constexpr std::string_view plain = "\x1b[0m";
constexpr std::string_view link_end = "\x1b]8;;\x1b\\";

// The styles and the link that are open at a point of a text.
class OpenStyles {
 public:
  void see(std::string_view escape) {
    if (escape.starts_with("\x1b]8;")) {
      link_ = escape == link_end ? std::string_view{} : escape;
    } else if (escape == plain || escape == "\x1b[m") {
      styles_.clear();
    } else if (escape.starts_with("\x1b[") && escape.back() == 'm') {
      styles_ += escape;
    }
  }
  std::string close() const {
    std::string text;
    if (!styles_.empty()) text += plain;
    if (!link_.empty()) text += link_end;
    return text;
  }
  std::string open() const { return std::string(link_) + styles_; }

 private:
  std::string styles_;
  std::string_view link_;
};

// Builds the lines of one paragraph.
class Wrapper {
 public:
  Wrapper(int columns, int indent) : columns_(std::max(columns, 1)), indent_(indent) {
    if (indent_ >= columns_) indent_ = 0;
  }

  void add(std::string_view paragraph) {
    line_.clear();
    line_width_ = 0;
    fresh_ = true;
    std::size_t spaces = 0;
    while (!paragraph.empty() && paragraph[0] == ' ') {  // leading spaces stay
      line_ += ' ';
      ++line_width_;
      paragraph.remove_prefix(1);
    }
    std::vector<Unit> word;
    int word_width = 0;
    while (!paragraph.empty()) {
      const Unit unit = first_unit(paragraph);
      paragraph.remove_prefix(unit.bytes.size());
      if (unit.c == ' ' && !unit.escape) {
        if (!word.empty()) put(word, word_width, spaces);
        spaces += 1;
      } else {
        word.push_back(unit);
        word_width += unit.width;
      }
    }
    if (!word.empty()) put(word, word_width, spaces);
    finish();
  }

  std::vector<std::string> take() { return std::move(lines_); }

 private:
  void put(std::vector<Unit>& word, int& word_width, std::size_t& spaces) {
    const int gap = fresh_ ? 0 : static_cast<int>(spaces);
    if (!fresh_ && line_width_ + gap + word_width > columns_) {
      break_line();
    } else {
      line_.append(static_cast<std::size_t>(gap), ' ');
      line_width_ += gap;
    }
    for (const Unit& unit : word) {
      if (unit.escape) {
        styles_.see(unit.bytes);
      } else if (line_width_ + unit.width > columns_ && line_width_ > indent_) {
        break_line();  // a word wider than the line
      }
      if (unit.c == no_break_space) {
        line_ += ' ';
      } else {
        line_ += unit.bytes;
      }
      line_width_ += unit.width;
    }
    fresh_ = false;
    spaces = 0;
    word.clear();
    word_width = 0;
  }

  void break_line() {
    finish();
    line_ = std::string(static_cast<std::size_t>(indent_), ' ') + styles_.open();
    line_width_ = indent_;
  }

  void finish() { lines_.push_back(line_ + styles_.close()); }

  int columns_;
  int indent_;
  OpenStyles styles_;
  std::vector<std::string> lines_;
  std::string line_;
  int line_width_ = 0;
  bool fresh_ = true;
};

std::string spaces_up_to(int have, int want) {
  return std::string(static_cast<std::size_t>(std::max(want - have, 0)), ' ');
}

}  // namespace

int width(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const Unit unit = first_unit(text);
    columns += unit.width;
    text.remove_prefix(unit.bytes.size());
  }
  return columns;
}

std::string printable(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const Unit unit = first_unit(text);
    text.remove_prefix(unit.bytes.size());
    if (unit.escape) continue;
    if (!unit.valid) {
      clean += "\xef\xbf\xbd";
    } else if (unit.c >= 0x20 ? unit.c != 0x7f : unit.c == '\n' || unit.c == '\t') {
      clean += unit.bytes;
    }
  }
  return clean;
}

std::string with_colours(std::string_view text) {
  std::string result;
  std::size_t plain = 0;
  for (std::size_t at = text.find("\x1b["); at != std::string_view::npos;
       at = text.find("\x1b[", plain)) {
    result += printable(text.substr(plain, at - plain));
    const std::size_t end = text.find_first_not_of("0123456789;", at + 2);
    const bool colour = end != std::string_view::npos && (text[end] == 'm' || text[end] == 'K');
    if (colour) result += text.substr(at, end + 1 - at);
    plain = colour ? end + 1 : at + 2;
  }
  return result + printable(text.substr(plain));
}

std::string truncate(std::string_view text, int columns) {
  if (width(text) <= columns) return std::string(text);
  std::string cut;
  OpenStyles styles;
  int used = 0;
  while (!text.empty()) {
    const Unit unit = first_unit(text);
    text.remove_prefix(unit.bytes.size());
    if (unit.escape) {
      styles.see(unit.bytes);
    } else if (used + unit.width > columns - 1) {
      break;
    }
    used += unit.width;
    cut += unit.bytes;
  }
  if (columns > 0) cut += "…";
  return cut + styles.close();
}

std::string pad_right(std::string_view text, int columns) {
  return std::string(text) + spaces_up_to(width(text), columns);
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(long long count, std::string_view one, std::string_view many) {
  return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

std::string pad_left(std::string_view text, int columns) {
  return spaces_up_to(width(text), columns) + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, int columns, int indent) {
  Wrapper wrapper(columns, indent);
  while (true) {
    const std::size_t end = text.find('\n');
    wrapper.add(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return wrapper.take();
}

}  // namespace grade::terminal

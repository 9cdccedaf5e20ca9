#include "watch/prompt.h"

#include <algorithm>
#include <array>
#include <utility>

#include "terminal/text.h"

namespace grade {
namespace {

using terminal::Style;
using terminal::Terminal;

struct Key {
  const char* letter;
  const char* word;
};
constexpr std::array<Key, 8> kKeys{{{"n", "next"},
                                    {"h", "hint"},
                                    {"l", "list"},
                                    {"s", "notes"},
                                    {"d", "diff"},
                                    {"x", "reset"},
                                    {"r", "run"},
                                    {"q", "quit"}}};
constexpr int kStatusLeast = 14;  // columns

std::string keys_text(const Terminal& out, bool words) {
  std::string text;
  for (const Key& key : kKeys) {
    if (!text.empty()) text += ' ';
    text += out.style(Style::accent, key.letter);
    if (words) text += std::string(" ") + key.word;
  }
  return text;
}

}  // namespace

std::string prompt_line(const Terminal& out, const std::string& status, bool keys, int columns) {
  if (!keys) return terminal::truncate(status, columns);
  constexpr int gap = 2;
  std::string text = keys_text(out, true);
  if (terminal::width(text) + gap + kStatusLeast > columns) text = keys_text(out, false);
  const int room = columns - gap - terminal::width(text);
  if (room < 1) return terminal::truncate(text, columns);
  const int used = std::min(room, std::max(terminal::width(status), kStatusLeast));
  return terminal::pad_right(terminal::truncate(status, used), used) + "  " + text;
}

void Prompt::show(const std::string& status, bool lasting) {
  Terminal& out = terminal::out();
  if (!out.can().is_terminal) {
    if (!lasting || status == said_) return;
    said_ = status;
    out.line(prompt_line(out, status, keys_, 200));
    out.flush();
    return;
  }
  // The last column would wrap on some terminals.
  draw(prompt_line(out, status, keys_, out.columns() - 1));
}

void Prompt::ask(const std::string& question) {
  if (!terminal::out().can().is_terminal) return show(question, true);
  draw(prompt_line(terminal::out(), question, false, terminal::out().columns() - 1));
}

// The cursor waits at the line's start, where a window that becomes narrower leaves it.
void Prompt::draw(std::string line) {
  Terminal& out = terminal::out();
  if (visible_ && line == drawn_) return;
  const int before = visible_ ? terminal::width(drawn_) : 0;
  const int rest = std::max(before - terminal::width(line), 0);
  out.print("\r" + line + std::string(static_cast<std::size_t>(rest), ' ') + "\r");
  out.flush();
  drawn_ = std::move(line);
  visible_ = true;
}

void Prompt::hide() {
  said_.clear();
  if (!visible_) return;
  Terminal& out = terminal::out();
  const int width = std::min(terminal::width(drawn_), out.columns() - 1);
  out.print("\r" + std::string(static_cast<std::size_t>(width), ' ') + "\r");
  out.flush();
  visible_ = false;
}

void Prompt::resized() {
  Terminal& out = terminal::out();
  // What a narrower window has made of the line: it and all below it.
  if (visible_ && out.can().colour) {
    out.print("\r\x1b[J");
  } else if (visible_) {
    out.line();
  }
  out.flush();
  visible_ = false;
}

}  // namespace grade

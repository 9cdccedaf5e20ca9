// The last line of `grade watch`: what goes on, and the keys. It stays below whatever is printed.
#pragma once

#include <string>

#include "terminal/terminal.h"

namespace grade {

// In so many columns: "001 passed  n next h hint l list ...", narrower the letters alone. Without
// keys what goes on is all.
std::string prompt_line(const terminal::Terminal& out, const std::string& status, bool keys,
                        int columns);

class Prompt {
 public:
  explicit Prompt(bool keys) : keys_(keys) {}
  ~Prompt() { hide(); }
  Prompt(const Prompt&) = delete;
  Prompt& operator=(const Prompt&) = delete;

  // Shows it, or brings it up to date. Where stdout is no terminal only a `lasting` status is
  // printed, on a line of its own.
  void show(const std::string& status, bool lasting);
  // In its place a question, without the keys that are no answer to it.
  void ask(const std::string& question);
  void hide();     // what is printed next starts on its line
  void resized();  // the window has another size; show() draws it anew

 private:
  void draw(std::string line);

  bool keys_;
  bool visible_ = false;
  std::string drawn_;  // as it stands on the screen
  std::string said_;   // without a terminal
};

}  // namespace grade

// Single keys from the terminal, and the signals that a program with a screen of its own must
// handle. The terminal's modes are put back whatever way the program ends, SIGKILL apart.
#pragma once

#include <termios.h>

#include <string>

namespace grade {

class Keyboard {
 public:
  Keyboard();
  ~Keyboard();
  Keyboard(const Keyboard&) = delete;
  Keyboard& operator=(const Keyboard&) = delete;

  bool is_terminal() const { return terminal_; }
  bool at_end() const { return at_end_; }  // no key will come any more

  // Descriptors to poll: keys (-1 at the end), and signals or wake().
  int keys_descriptor() const;
  int signals_descriptor() const;

  // The keys typed since the last call, in lower case; what arrow keys and the like send is left
  // out.
  std::string keys();

  struct Signals {
    int end = 0;           // the one that asks the program to end, or 0
    bool stop = false;     // Ctrl-Z
    bool resized = false;  // the window
  };
  Signals signals();

  static void wake();  // from any thread

  // For a program that is given the terminal meanwhile: lines and echo, and one key at a time
  // again.
  void lines();
  void single_keys();

  // Ctrl-Z: returns when the program goes on.
  void stop();

 private:
  termios before_{};
  bool terminal_ = false;
  bool at_end_ = false;
};

}  // namespace grade

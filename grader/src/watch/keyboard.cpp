#include "watch/keyboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace grade {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH, SIGPIPE};

std::array<int, 2> pipe_ends{-1, -1};

// Writes the signal's number, or 0 to wake, where poll() sees it.
void note(int number) {
  const int before = errno;
  const auto byte = static_cast<unsigned char>(number);
  [[maybe_unused]] const auto written = write(pipe_ends[1], &byte, 1);
  errno = before;
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(number, &action, nullptr);
}

// Control characters and escape sequences left out, letters in lower case. Ctrl-D and Ctrl-C (where
// the terminal passes it on) quit.
std::string plain_keys(const std::string& typed) {
  std::string keys;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const auto c = static_cast<unsigned char>(typed[i]);
    if (c == 0x1b) {
      if (i + 1 == typed.size()) break;
      const char kind = typed[++i];
      if (kind != '[' && kind != 'O') continue;
      while (++i < typed.size() && (typed[i] < '@' || typed[i] > '~')) {
      }
    } else if (c == 0x04 || c == 0x03) {
      keys += 'q';
    } else if (c == '\r' || c == '\n' || c == 0x0c) {
      keys += '\n';
    } else if (c > ' ' && c < 0x7f) {
      keys += static_cast<char>(std::tolower(c));
    }
  }
  return keys;
}

}  // namespace

Keyboard::Keyboard() {
  if (pipe2(pipe_ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
    throw std::runtime_error("no pipe can be made");
  }
  terminal_ = tcgetattr(STDIN_FILENO, &before_) == 0;
  for (const int number : kSignals) {
    struct sigaction current {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) handle(number, note);  // nohup means it
  }
  single_keys();
}

Keyboard::~Keyboard() {
  if (terminal_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
  for (const int number : kSignals) {
    struct sigaction current {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler == note) handle(number, SIG_DFL);
  }
  for (int& end : pipe_ends) {
    close(end);
    end = -1;
  }
}

int Keyboard::keys_descriptor() const {
  return at_end_ ? -1 : STDIN_FILENO;
}

int Keyboard::signals_descriptor() const {
  return pipe_ends[0];
}

std::string Keyboard::keys() {
  char buffer[256];
  const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (got <= 0) {
    at_end_ = true;
    return {};
  }
  return plain_keys(std::string(buffer, static_cast<std::size_t>(got)));
}

Keyboard::Signals Keyboard::signals() {
  Signals seen;
  unsigned char number = 0;
  while (read(pipe_ends[0], &number, 1) == 1) {
    switch (number) {
      case SIGTSTP:
        seen.stop = true;
        break;
      case SIGWINCH:
        seen.resized = true;
        break;
      case 0:
        break;
      default:
        seen.end = number;
    }
  }
  return seen;
}

void Keyboard::wake() {
  note(0);
}

// What was typed ahead is no answer to a question that comes now.
void Keyboard::lines() {
  if (terminal_) tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
}

void Keyboard::single_keys() {
  if (!terminal_) return;
  termios now = before_;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

void Keyboard::stop() {
  lines();
  handle(SIGTSTP, SIG_DFL);
  raise(SIGTSTP);
  handle(SIGTSTP, note);
  single_keys();
}

}  // namespace grade

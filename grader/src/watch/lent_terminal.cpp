#include "watch/lent_terminal.h"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks for it

namespace grade {
namespace {

// Returns the signal that ended both, or 0.
int wait_for(pid_t child, Keyboard& keyboard) {
  int ended_by = 0;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    pollfd signals{keyboard.signals_descriptor(), POLLIN, 0};
    poll(&signals, 1, 20);
    const Keyboard::Signals seen = keyboard.signals();
    if (seen.end != 0 && seen.end != SIGINT && seen.end != SIGPIPE) {
      kill(child, SIGTERM);
      ended_by = seen.end;
    }
    if (seen.stop) {  // both were told; this one goes on with it
      raise(SIGSTOP);
      kill(child, SIGCONT);
    }
  }
  return ended_by;
}

}  // namespace

std::optional<int> lend_terminal(Keyboard& keyboard, const std::filesystem::path& program,
                                 std::vector<std::string> arguments) {
  keyboard.lines();
  std::string name = program.string();
  std::vector<char*> words{name.data()};
  for (std::string& each : arguments) words.push_back(each.data());
  words.push_back(nullptr);
  std::optional<int> ended_by;
  pid_t child = 0;
  if (posix_spawn(&child, name.c_str(), nullptr, nullptr, words.data(), environ) == 0) {
    ended_by = wait_for(child, keyboard);
  }
  keyboard.single_keys();
  return ended_by;
}

}  // namespace grade

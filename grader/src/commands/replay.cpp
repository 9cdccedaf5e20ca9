#include "commands/replay.h"

#include <fmt/core.h>

#include "terminal/shell.h"
#include "terminal/terminal.h"

namespace grade {

std::string replay(const Replay& what, const std::string& command) {
  std::string text = terminal::command();
  if (!command.empty()) text += " " + command;
  text += fmt::format(" {}", what.lesson);
  if (what.solution) text += " --solution";
  if (!what.file.empty()) {
    // A name like "-x" would be read as an option.
    text += " --file " + terminal::shell_quoted((what.file[0] == '-' ? "./" : "") + what.file);
  }
  if (what.mine) text += " --mine";
  if (what.backend != "auto") text += " --backend " + what.backend;
  if (what.timeout) text += fmt::format(" --timeout {:g}", *what.timeout);
  return text;
}

}  // namespace grade

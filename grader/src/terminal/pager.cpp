#include "terminal/pager.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "system/process.h"
#include "terminal/terminal.h"

namespace grade::terminal {

void print_paged(const std::vector<std::string>& lines, bool allowed) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  out().flush();

  const char* chosen = std::getenv("PAGER");
  const std::string pager = chosen != nullptr && *chosen != '\0' ? chosen : "less";
  const bool fits = static_cast<int>(lines.size()) < out().can().rows;
  const std::string program = pager.substr(0, pager.find(' '));
  if (allowed && interactive() && !fits && pager != "cat" && !find_program(program).empty()) {
    // Colours as they are, quit at once when it fits, leave the text on the screen.
    setenv("LESS", "-FRX", 0);
    const auto previous = std::signal(SIGPIPE, SIG_IGN);  // the reader may quit early
    std::FILE* pipe = popen(pager.c_str(), "w");
    if (pipe != nullptr) {
      std::fwrite(text.data(), 1, text.size(), pipe);
      const int status = pclose(pipe);
      std::signal(SIGPIPE, previous);
      if (status == 0) return;
    }
    std::signal(SIGPIPE, previous);
  }
  out().print(text);
}

}  // namespace grade::terminal

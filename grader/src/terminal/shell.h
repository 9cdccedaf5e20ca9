// Text that a user may paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace grade::terminal {

// The text as one word of a shell's command line, quoted only where it must be. It holds no control
// character: one that the text has is written as an escape, $'\x1b', which bash and zsh read back.
std::string shell_quoted(std::string_view text);

}  // namespace grade::terminal

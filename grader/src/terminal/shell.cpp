#include "terminal/shell.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "terminal/text.h"

namespace grade::terminal {
namespace {

constexpr std::string_view kPlain = "_@%+=:,./-";  // beside letters and digits

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || kPlain.find(c) != kPlain.npos;
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  const bool shows =
      printable(text) == text && text.find('\n') == text.npos && text.find('\t') == text.npos;
  std::string quoted = shows ? "'" : "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (shows) {
      quoted += c == '\'' ? std::string(R"('\'')") : std::string(1, c);
    } else if (c == '\'' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (byte < 0x20 || byte >= 0x7f) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace grade::terminal

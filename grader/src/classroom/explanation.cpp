#include <fmt/core.h>

#include "classroom/formats.h"

namespace grade::classroom {

std::string explanation(const Mark& mark) {
  std::string text = mark.reason;
  const auto add = [&](const std::string& more) {
    if (more.empty()) return;
    if (!text.empty()) text += "\n\n";
    text += more;
  };
  for (const Mark::Failure& each : mark.failures) {
    std::string one = each.what;
    if (each.line > 0) one += fmt::format(" (line {})", each.line);
    if (!each.message.empty()) one += ":\n" + each.message;
    add(one);
  }
  add(mark.compiler);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace grade::classroom

#include "terminal/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <utility>

#include "terminal/text.h"

namespace grade::terminal {
namespace {

constexpr std::string_view reset = "\x1b[0m";
constexpr int widest_prose = 80;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

std::string_view opening(Style style) {
  switch (style) {
    case Style::plain:
      return {};
    case Style::bold:
      return "\x1b[1m";
    case Style::dim:
      return "\x1b[2m";
    case Style::heading:
      return "\x1b[1;36m";
    case Style::good:
      return "\x1b[32m";
    case Style::bad:
      return "\x1b[31m";
    case Style::warning:
      return "\x1b[33m";
    case Style::accent:
      return "\x1b[36m";
    case Style::code:
      return "\x1b[35m";
  }
  return {};
}

std::string percent_encoded(std::string_view path) {
  std::string encoded;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
        (byte >= '0' && byte <= '9') ||
        std::string_view("/-_.~").find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", byte);
    }
  }
  return encoded;
}

// "`grade show 1`" with the command as it was typed.
std::string as_typed(std::string_view text) {
  constexpr std::string_view quoted = "`grade";
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = text.find(quoted); at != std::string_view::npos;
       at = text.find(quoted, done)) {
    const std::size_t end = at + quoted.size();
    const bool whole = end < text.size() && (text[end] == ' ' || text[end] == '`');
    result += text.substr(done, at + 1 - done);
    result += whole ? command() : std::string(quoted.substr(1));
    done = end;
  }
  return result.append(text.substr(done));
}

}  // namespace

Capabilities detect(int descriptor) {
  Capabilities can;
  const std::string_view term = environment("TERM");
  can.is_terminal = isatty(descriptor) == 1;
  if (can.is_terminal) {
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
      can.columns = size.ws_col;
      can.rows = size.ws_row > 0 ? size.ws_row : can.rows;
    }
    can.colour = !term.empty() && term != "dumb" && environment("NO_COLOR").empty();
    can.links = can.colour && term != "linux" && !term.starts_with("screen");
  }
  can.unicode = environment("GRADE_ASCII").empty() && !(can.is_terminal && term == "linux");
  const int columns = std::atoi(std::string(environment("COLUMNS")).c_str());
  if (columns > 0) can.columns = columns;
  can.columns = std::clamp(can.columns, 20, 1000);
  return can;
}

Terminal::Terminal(std::FILE* stream, Capabilities capabilities)
    : stream_(stream), capabilities_(capabilities) {}

std::string Terminal::style(Style style, std::string_view text) const {
  const std::string_view open = opening(style);
  if (!capabilities_.colour || open.empty() || text.empty()) return std::string(text);
  std::string styled(open);
  // A style inside ends with a reset, which must not end this one.
  while (true) {
    const std::size_t inner = text.find(reset);
    styled += text.substr(0, inner);
    if (inner == std::string_view::npos) break;
    styled += reset;
    styled += open;
    text.remove_prefix(inner + reset.size());
  }
  styled += reset;
  return styled;
}

std::string Terminal::link(std::string_view text, std::string_view url) const {
  if (!capabilities_.links) return std::string(text);
  return fmt::format("\x1b]8;;{}\x1b\\{}\x1b]8;;\x1b\\", url, text);
}

std::string Terminal::path(std::string_view path, std::string_view root) const {
  std::string shown(path);
  if (!root.empty() && path.starts_with(root) && path.size() > root.size() &&
      path[root.size()] == '/') {
    shown = std::string(path.substr(root.size() + 1));
  }
  shown = printable(shown);
  if (!capabilities_.links || !path.starts_with("/")) return shown;
  return link(shown, "file://" + percent_encoded(path));
}

std::string Terminal::symbol(Symbol symbol) const {
  const bool unicode = capabilities_.unicode;
  switch (symbol) {
    case Symbol::passed:
      return unicode ? "✓" : "+";
    case Symbol::failed:
      return unicode ? "✗" : "x";
    case Symbol::current:
      return unicode ? "▸" : ">";
    case Symbol::todo:
      return unicode ? "·" : ".";
    case Symbol::skipped:
      return unicode ? "○" : "o";
    case Symbol::warning:
      return "!";
    case Symbol::arrow:
      return unicode ? "→" : ">";
    case Symbol::bullet:
      return unicode ? "•" : "*";
    case Symbol::hint:
      return "?";
    case Symbol::dot:
      return unicode ? "●" : "*";
  }
  return " ";
}

std::string Terminal::bar(double fraction, int columns) const {
  columns = std::max(columns, 1);
  fraction = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) : 0.0;
  int filled = static_cast<int>(std::lround(fraction * columns));
  // Something is never shown as nothing, nor almost all as all.
  if (fraction > 0 && filled == 0) filled = 1;
  if (fraction < 1 && filled == columns && columns > 1) filled = columns - 1;
  std::string done;
  std::string left;
  for (int i = 0; i < columns; ++i) {
    if (i < filled) {
      done += capabilities_.unicode ? "█" : "#";
    } else {
      left += capabilities_.unicode ? "░" : "-";
    }
  }
  return style(Style::good, done) + style(Style::dim, left);
}

void Terminal::print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream_);
}

void Terminal::line(std::string_view text) {
  print(text);
  print("\n");
}

void Terminal::paragraph(std::string_view text, int indent) {
  const std::size_t start = text.find_first_not_of(' ');
  const int leading = start == std::string_view::npos ? 0 : static_cast<int>(start);
  for (const std::string& each :
       wrap(as_typed(text), std::min(columns(), widest_prose), leading + indent)) {
    line(each);
  }
}

void Terminal::flush() {
  std::fflush(stream_);
}

std::string command() {
  const char* const given = std::getenv("GRADE_COMMAND");
  const std::string_view name = given == nullptr ? "" : given;
  // Whatever a shell would take apart is not worth quoting here.
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("._/-+~", c) != nullptr;
  });
  return plain ? std::string(name) : "grade";
}

Terminal& out() {
  static Terminal terminal(stdout, detect(STDOUT_FILENO));
  return terminal;
}

Terminal& err() {
  static Terminal terminal(stderr, detect(STDERR_FILENO));
  return terminal;
}

void notice(std::string_view text) {
  out().flush();
  err().paragraph("! " + printable(text), 2);
}

void refresh() {
  out() = Terminal(stdout, detect(STDOUT_FILENO));
  err() = Terminal(stderr, detect(STDERR_FILENO));
}

bool interactive() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

bool confirmed(std::string_view question) {
  out().print(fmt::format("{} [y/N] ", question));
  out().flush();
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

std::string diff_line(std::string_view line) {
  const Style style = line.starts_with("---") || line.starts_with("+++") ? Style::bold
                      : line.starts_with("@@")                           ? Style::accent
                      : line.starts_with("-")                            ? Style::bad
                      : line.starts_with("+")                            ? Style::good
                                                                         : Style::plain;
  return out().style(style, line);
}

namespace {

constexpr std::chrono::seconds kBetweenLines(10);
thread_local StatusLine::Sink sink_of_this_thread;

}  // namespace

void StatusLine::redirect_this_thread(Sink sink) {
  sink_of_this_thread = std::move(sink);
}

bool StatusLine::diverted(std::string_view text) {
  if (!sink_of_this_thread) return false;
  sink_of_this_thread(text);
  shown_ = !text.empty();
  return true;
}

void StatusLine::print_line(std::string_view text) {
  out().flush();
  err().line(text);
  err().flush();
  last_line_ = Clock::now();
}

void StatusLine::show(std::string_view text) {
  if (diverted(text)) return;
  Terminal& terminal = err();
  if (!terminal.can().is_terminal) {
    if (Clock::now() - last_line_ >= kBetweenLines) print_line(text);
    return;
  }
  out().flush();
  const int columns = terminal.columns() - 1;  // the last column would wrap on some terminals
  // Spaces rather than an escape erase what was there: this works on a dumb terminal, too.
  terminal.print("\r" + pad_right(truncate(text, columns), columns) + "\r");
  terminal.flush();
  shown_ = true;
}

void StatusLine::show(std::string_view text, std::size_t done, std::size_t of) {
  if (sink_of_this_thread || !err().can().is_terminal) {
    return show(fmt::format("{}/{} {}", done, of, printable(text)));
  }
  const double fraction = of == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(of);
  show(fmt::format("{} {}/{} {}", err().bar(fraction, 20), done, of, printable(text)));
}

void StatusLine::announce(std::string_view text) {
  if (!sink_of_this_thread && !err().can().is_terminal) return print_line(text);
  show(text);
}

void StatusLine::clear() {
  if (!shown_ || diverted({})) return;
  Terminal& terminal = err();
  terminal.print("\r" + std::string(static_cast<std::size_t>(terminal.columns() - 1), ' ') + "\r");
  terminal.flush();
  shown_ = false;
}

}  // namespace grade::terminal

// Where output goes and what may be done to it: colour and links only on a terminal, never an
// escape byte in a pipe, NO_COLOR and TERM=dumb honoured.
#pragma once

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace grade::terminal {

struct Capabilities {
  bool is_terminal = false;
  bool colour = false;  // styles may be written
  bool links = false;   // OSC-8 hyperlinks may be written
  bool unicode = true;  // false: symbols and bars in ASCII (GRADE_ASCII, or the Linux console)
  int columns = 80;     // 80 when not a terminal; COLUMNS overrides; never below 20
  int rows = 24;
};

// Asks the file descriptor and the environment.
Capabilities detect(int descriptor);

enum class Style { plain, bold, dim, heading, good, bad, warning, accent, code };

// Each state has a symbol besides its colour.
enum class Symbol { passed, failed, current, todo, skipped, warning, arrow, bullet, hint, dot };

class Terminal {
 public:
  Terminal(std::FILE* stream, Capabilities capabilities);

  const Capabilities& can() const { return capabilities_; }
  int columns() const { return capabilities_.columns; }

  // The text between escapes where colour is allowed, else the text. Newlines may be inside.
  std::string style(Style style, std::string_view text) const;
  // The text, linked where links are allowed. `url` is http(s):// or file://.
  std::string link(std::string_view text, std::string_view url) const;
  // A path shown relative to `root` where it lies below it, and linked.
  std::string path(std::string_view path, std::string_view root) const;
  std::string symbol(Symbol symbol) const;  // one column wide, unstyled
  // A bar of `columns` columns, `fraction` (0 to 1, clamped) of it filled.
  std::string bar(double fraction, int columns) const;

  void print(std::string_view text);
  void line(std::string_view text = {});  // print, then a newline
  // Wraps at the terminal's width (at most 100, so that prose stays readable), then prints. Lines
  // after the first start with `indent` spaces more than the first does. A command in backticks,
  // `grade show 1`, is shown as the user has to type it: see command().
  void paragraph(std::string_view text, int indent = 0);
  void flush();

 private:
  std::FILE* stream_;
  Capabilities capabilities_;
};

Terminal& out();  // stdout
Terminal& err();  // stderr

// A paragraph on stderr for what happened to the user's files, after all that went to stdout
// before.
void notice(std::string_view text);
void refresh();  // asks again what both can do: the window has another size

// How this tool was called: "./grade" through the launcher (GRADE_COMMAND), else "grade".
std::string command();

// True when a person can be asked: stdin and stdout are terminals.
bool interactive();
// Asks, and takes anything but a yes for a no.
bool confirmed(std::string_view question);

// A line of `diff -u`, coloured.
std::string diff_line(std::string_view line);

// One line on stderr that says what a long step is doing and is rewritten in place. Erased by
// clear() and by the destructor, so that what is printed afterwards starts on a clean line. Where
// stderr is not a terminal, a step that goes on prints a line every ten seconds.
class StatusLine {
 public:
  StatusLine() = default;
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(std::string_view text);                                    // cut to the width
  void show(std::string_view text, std::size_t done, std::size_t of);  // with a bar and a count
  void announce(std::string_view text);  // as show, and without a terminal printed at once
  void clear();

  // From now on the status lines of the calling thread go there (empty text: cleared), not to
  // stderr.
  using Sink = std::function<void(std::string_view text)>;
  static void redirect_this_thread(Sink sink);

 private:
  using Clock = std::chrono::steady_clock;
  bool diverted(std::string_view text);
  void print_line(std::string_view text);

  bool shown_ = false;
  Clock::time_point last_line_ = Clock::now();  // of those without a terminal
};

}  // namespace grade::terminal

// Measuring and shaping UTF-8 text that may hold escape sequences: widths are columns on screen.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grade::terminal {

// Columns that the text takes: 0 for combining marks and escape sequences, 2 for wide characters,
// 1 for a byte that is not valid UTF-8. The text holds no newline.
int width(std::string_view text);

// The text without escape sequences and other control bytes except newline and tab. Used on
// anything that comes from outside (file contents, a kernel's output) before it reaches a terminal.
std::string printable(std::string_view text);

// The same, but that colours stay: for a compiler's messages, in which a name and a quoted line may
// hold anything.
std::string with_colours(std::string_view text);

// Cuts to at most `columns` columns, with an ellipsis where something was cut. Open styles are
// closed.
std::string truncate(std::string_view text, int columns);

// Pads with spaces to `columns`; longer text is returned as it is.
std::string pad_right(std::string_view text, int columns);
std::string pad_left(std::string_view text, int columns);

// Without decimals: "65,536".
std::string grouped(double value);

// "1 day", "2 days"; thousands as they are.
std::string counted(long long count, std::string_view one, std::string_view many);

// Breaks at spaces so that no line is wider than `columns`; a word that is wider alone is cut into
// pieces. Newlines in the text are kept. Leading spaces of the first line are kept; every further
// line of a paragraph starts with `indent` spaces. A style that spans a break is closed at the end
// of the line and opened again on the next. A no-break space (U+00A0) joins and prints as a space.
std::vector<std::string> wrap(std::string_view text, int columns, int indent = 0);

}  // namespace grade::terminal

// Markdown, with LaTeX formulas between dollars, as lines for a terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace grade {

// Blocks are separated by empty lines. Styles and links are used as far as `out` allows. An image
// is left out when a ```text block follows it (its twin), else named by its description. Figures
// and code keep their line breaks; prose is wrapped at `columns`.
std::vector<std::string> render_markdown(std::string_view markdown, int columns,
                                         const terminal::Terminal& out);

// A "## " section of the notes.
struct Section {
  std::string title;
  std::string text;  // without the heading
};
// What stands before the first heading has an empty title, and is left out when it is blank.
std::vector<Section> split_sections(std::string_view markdown);

}  // namespace grade

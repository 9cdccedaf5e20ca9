// Long text on a terminal goes through the pager.
#pragma once

#include <string>
#include <vector>

namespace grade::terminal {

// Prints the lines; through $PAGER (less, if unset) when stdin and stdout are terminals, `allowed`
// says so, and the lines do not fit on the screen.
void print_paged(const std::vector<std::string>& lines, bool allowed);

}  // namespace grade::terminal

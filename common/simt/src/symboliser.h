// Source positions of machine code, from the DWARF line tables of the files that hold it.
#pragma once

#include <cstdint>
#include <string>

#include "simt/inspect.h"

namespace simt::symboliser {

struct Position {
  std::string file;
  int line = 0;
  int column = 0;
};

// Where the instruction before `pc` (a return address) comes from; line 0 when that is not known.
// Answers are kept.
const Position& position(std::uintptr_t pc);

// Is it in a header of the runtime, of which a kernel's author knows nothing? (Code of such a
// header that was inlined counts as the line of the kernel that called it.)
bool in_runtime_header(const Position& position);

// The text of a line, without the blanks round it; empty when the file can't be read.
std::string source_line(const std::string& file, int line);

// "kernel.cu:12", or "an unknown place".
std::string short_name(const Position& position);

}  // namespace simt::symboliser

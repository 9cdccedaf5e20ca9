// Where code lies: the text of the program and of each shared object.
#pragma once

#include <cstdint>
#include <string>

namespace simt {

struct Module {
  std::uintptr_t load_bias = 0;
  std::uintptr_t text_begin = 0;
  std::uintptr_t text_end = 0;
  std::string path;  // of the file, absolute or as given to dlopen
};

// Is the address in a read-only part of a module: string literals, constant tables?
bool in_read_only_data(std::uintptr_t address);

// The module whose text holds the address; an empty one (text_end 0) when there is none.
Module module_of(std::uintptr_t address);

}  // namespace simt
